"""Proposals for unknown names."""

from __future__ import annotations

from collections.abc import Iterable

from tvmscript.ir.core.budget import CURRENT

#: minimal similarity of a proposal
_CUTOFF = 0.7
#: characters of a name that are compared
_COMPARED = 100


class UnknownAttribute(AttributeError):
    """An object has no attribute of this name; the message proposes a similar one.

    It is built on demand: most of these errors are only asked about, by `hasattr` and `getattr` with a default.
    """

    def __init__(self, name: str, obj: object) -> None:
        super().__init__(name, name=name, obj=obj)
        self.missing = name

    def __str__(self) -> str:
        text = f"{type(self.obj).__name__!r} object has no attribute {self.missing!r}"
        hint = closest(self.missing, dir(self.obj))
        return f"{text}; {hint}" if hint else text


def closest(name: str, known: Iterable[str], form: str = "{}") -> str | None:
    """Return the proposal of the most similar known name, formatted by `form`, or None.

    In a text with many errors the later ones have no proposals: see `budget.MAX_COMPARED`.
    """
    import difflib  # for errors only

    budget = CURRENT.get()
    if budget is not None and budget.compared <= 0:
        return None
    written = name[:_COMPARED]
    shortest, longest = len(written) * _CUTOFF / (2 - _CUTOFF), len(written) * (2 - _CUTOFF) / _CUTOFF
    # names of other lengths are never similar enough
    names = [
        item
        for item in known
        if isinstance(item, str) and shortest <= len(item) <= longest and not item.startswith("_")
    ]
    if budget is not None:
        budget.compared -= sum(map(len, names))
    matches = difflib.get_close_matches(written, names, 1, _CUTOFF)
    return f"did you mean {form.format(matches[0])}?" if matches else None
