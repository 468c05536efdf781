"""Names of TVM that have no counterpart here."""

from __future__ import annotations

#: the part of TVM that the construction functions belong to
BUILDER = "TVM's IRBuilder, which makes programs by calls instead of text"


class UnsupportedName:
    """A known name without a meaning here. Its use is an error that names the part of TVM it belongs to."""

    __slots__ = ("hint", "name", "place")

    def __init__(self, name: str, place: str, hint: str | None = None) -> None:
        self.name = name
        self.place = place
        self.hint = hint

    def __repr__(self) -> str:
        return f"<{self.name}>"
