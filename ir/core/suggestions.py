"""Proposals for unknown names."""

from __future__ import annotations

from collections.abc import Iterable

#: minimal similarity of a proposal
_CUTOFF = 0.7


def closest(name: str, known: Iterable[str], form: str = "{}") -> str | None:
    """Return the proposal of the most similar known name, formatted by `form`, or None."""
    import difflib  # for errors only

    names = [item for item in known if isinstance(item, str) and not item.startswith("_")]
    matches = difflib.get_close_matches(name[:100], names, 1, _CUTOFF)
    return f"did you mean {form.format(matches[0])}?" if matches else None
