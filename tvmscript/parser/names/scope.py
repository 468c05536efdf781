"""Nested scopes: one table of names with an undo log."""

from __future__ import annotations

from typing import Any, Final

#: log entry of a name that was not defined before
_ABSENT: Final = object()


class Scope:
    """Names and their values. An inner scope may shadow a name; a scope may not define one twice, except `_`."""

    __slots__ = ("_current", "_log", "_outer", "names", "rebound")

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self._log: list[tuple[str, object]] = []
        self._current: set[str] = set()
        #: enclosing scopes: length of the log, names
        self._outer: list[tuple[int, set[str]]] = []
        #: names that an inner scope, which has ended, defined again
        self.rebound: set[str] = set()

    @property
    def level(self) -> int:
        """Number of open scopes."""
        return len(self._outer)

    def enter(self) -> int:
        """Open a scope and return its level, for `leave`."""
        outer = self._outer
        outer.append((len(self._log), self._current))
        self._current = set()
        return len(outer) - 1

    def leave(self, level: int) -> None:
        """Close a scope and all scopes in it."""
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
        """Close the scope of a body. Names that it defined again become ambiguous (`DefinedAgain`)."""
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

    def define(self, name: str, value: object) -> bool:
        """Define a name. Return False if this scope already defines it as another value."""
        if name in self._current and name != "_":
            return self.names.get(name) is value
        self._current.add(name)
        if self.rebound:
            self.rebound.discard(name)
        self._log.append((name, self.names.get(name, _ABSENT)))
        self.names[name] = value
        return True

    def replace(self, name: str, value: object) -> None:
        """Set a name in this scope; the scope may define it again."""
        if name not in self._current:
            self._log.append((name, self.names.get(name, _ABSENT)))
        self._current.discard(name)
        self.names[name] = value
