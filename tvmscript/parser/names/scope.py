"""Names in nested scopes: one table with an undo log."""

from __future__ import annotations

from typing import Any, Final

#: What the log keeps for a name that was not defined before.
_ABSENT: Final = object()


class Scope:
    """Names and what they stand for. A name may be hidden in an inner scope, but not defined twice in one (`_` may)."""

    __slots__ = ("_current", "_log", "_outer", "names", "rebound")

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self._log: list[tuple[str, Any]] = []
        self._current: set[str] = set()
        #: of the scopes around the current one: the length of the log and the names
        self._outer: list[tuple[int, set[str]]] = []
        #: names that were defined again in a scope that has ended
        self.rebound: set[str] = set()

    @property
    def level(self) -> int:
        """How many scopes are open."""
        return len(self._outer)

    def enter(self) -> int:
        """Open a scope; `leave` takes what is returned."""
        outer = self._outer
        outer.append((len(self._log), self._current))
        self._current = set()
        return len(outer) - 1

    def leave(self, level: int) -> None:
        """Forget what was defined since `enter`, in scopes within it too."""
        outer = self._outer
        if level >= len(outer):
            return
        length, self._current = outer[level]
        del outer[level:]
        log = self._log
        while len(log) > length:
            name, before = log.pop()
            if before is _ABSENT:
                self.names.pop(name, None)
            else:
                self.names[name] = before

    def leave_body(self, level: int) -> None:
        """Like `leave`, after statements: a name that they defined again is not known any more.

        In Python it would be the inner one from here on, for us it was another one: neither is taken silently.
        """
        length, self._current = self._outer[level]
        del self._outer[level:]
        log = self._log
        while len(log) > length:
            name, before = log.pop()
            last = self.names.pop(name, None)
            if before is last:
                self.names[name] = before
            elif before is not _ABSENT and name != "_":
                self.rebound.add(name)

    def define(self, name: str, value: Any) -> bool:
        """Let a name stand for a value; False where this scope has the name already."""
        if name in self._current and name != "_":
            return self.names.get(name) is value
        self._current.add(name)
        if self.rebound:
            self.rebound.discard(name)
        self._log.append((name, self.names.get(name, _ABSENT)))
        self.names[name] = value
        return True

    def replace(self, name: str, value: Any) -> None:
        """Let a name stand for a value in this scope, which may define it once more."""
        if name not in self._current:
            self._log.append((name, self.names.get(name, _ABSENT)))
        self._current.discard(name)
        self.names[name] = value
