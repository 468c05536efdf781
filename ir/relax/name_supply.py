"""Names that are not taken yet, as TVM makes them: `lv`, `lv1`, `lv2`."""

from __future__ import annotations

import re

_NOT_IN_NAMES = re.compile(r"\W")


class NameSupply:
    """Every name is given once."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        #: name -> the number that was put behind it last
        self._last: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """The name, or with the first number behind it that makes a new one; what is no letter becomes `_`."""
        if not name.isidentifier():
            name = _NOT_IN_NAMES.sub("_", name)
        number = self._last.get(name)
        if number is None:
            self._last[name] = 0
            return name
        while True:
            number += 1
            made = f"{name}{number}"
            if made not in self._last:
                break
        self._last[name] = number
        self._last[made] = 0
        return made
