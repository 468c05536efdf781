"""Names in nested scopes: one table with an undo log."""

from __future__ import annotations

from typing import Any, Final

#: What the log keeps for a name that was not defined before.
_ABSENT: Final = object()


class Scope:
    """Names and what they stand for. A name may be hidden in an inner scope, but not defined twice in one (`_` may)."""

    __slots__ = ("_current", "_log", "names")

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self._log: list[tuple[str, Any]] = []
        self._current: set[str] = set()

    def enter(self) -> tuple[int, set[str]]:
        """Open a scope; `leave` takes what is returned."""
        mark = len(self._log), self._current
        self._current = set()
        return mark

    def leave(self, mark: tuple[int, set[str]]) -> None:
        """Forget what was defined since `enter`."""
        length, self._current = mark
        log = self._log
        while len(log) > length:
            name, before = log.pop()
            if before is _ABSENT:
                del self.names[name]
            else:
                self.names[name] = before

    def define(self, name: str, value: Any) -> bool:
        """Let a name stand for a value; False where this scope has the name already."""
        if name in self._current and name != "_":
            return self.names[name] is value
        self._current.add(name)
        self._log.append((name, self.names.get(name, _ABSENT)))
        self.names[name] = value
        return True
