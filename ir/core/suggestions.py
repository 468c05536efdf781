"""Proposals for names that are not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: How alike two names have to be; very short ones are alike too easily.
_CUTOFF = 0.7


def closest(name: str, known: Iterable[str], form: str = "{}") -> str | None:
    """A proposal: the known name that is most like it, written as `form` says."""
    names = [item for item in known if isinstance(item, str) and not item.startswith("_")]
    matches = difflib.get_close_matches(name[:100], names, 1, _CUTOFF)
    return f"did you mean {form.format(matches[0])}?" if matches else None
