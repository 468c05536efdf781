"""Names of TVM that have no counterpart here."""

from __future__ import annotations


class UnsupportedName:
    """A name that is known, so that whoever writes it is told what it belongs to."""

    __slots__ = ("name", "place")

    def __init__(self, name: str, place: str) -> None:
        self.name = name
        self.place = place

    def __repr__(self) -> str:
        return f"<{self.name}>"
