"""Supply of fresh names, numbered as in TVM: `lv`, `lv1`, `lv2`, and names of blocks `B`, `B_1`, `B_2`."""

from __future__ import annotations

import re

_NOT_IN_NAMES = re.compile(r"\W")


class NameSupply:
    """Hands out each name once."""

    __slots__ = ("_last", "_separator")

    def __init__(self, separator: str = "") -> None:
        #: between a name and its number
        self._separator = separator
        #: name -> the last number appended to it
        self._last: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """Return `name`, with a number appended where it is taken. Characters outside identifiers become `_`."""
        if not name.isidentifier():
            name = _NOT_IN_NAMES.sub("_", name)
        number = self._last.get(name)
        if number is None:
            self._last[name] = 0
            return name
        while True:
            number += 1
            numbered = f"{name}{self._separator}{number}"
            if numbered not in self._last:
                break
        self._last[name] = number
        self._last[numbered] = 0
        return numbered
