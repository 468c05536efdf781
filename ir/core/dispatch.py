"""Dispatch on the class of a node: tables whose lookup costs as much as that of a dict."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

R = TypeVar("R")
F = TypeVar("F")


class ClassTable(dict[type, R], Generic[R]):
    """A value for each class, computed at the first lookup."""

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[type], R]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, cls: type) -> R:
        value = self[cls] = self._compute(cls)
        return value


class Dispatch(ClassTable[R]):
    """A rule for each class: its own, or that of its nearest base, or `default`.

    An overlay (`below`) takes the rules and the default of another table where it has none of its own. `families` are
    rules in modules that are imported when a class of theirs is first looked up: prefix of the class's module -> module
    with the rules. Raises `LookupError` for a class without a rule.
    """

    __slots__ = ("_below", "_families", "_overlays", "default", "rules")

    def __init__(
        self,
        rules: Mapping[type, R] | None = None,
        *,
        default: R | None = None,
        below: Dispatch[R] | None = None,
        families: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(self._nearest)
        #: the registered rules of this table alone
        self.rules: dict[type, R] = dict(rules or {})
        self.default: R | None = default if below is None else below.default
        self._below = below
        self._families = dict(families or {})
        self._overlays: list[Dispatch[R]] = []
        if below is not None:
            below._overlays.append(self)

    def register(self, *classes: type) -> Callable[[F], F]:
        """Return a decorator that makes a function the rule of these classes."""

        def add(rule: Any) -> Any:
            for cls in classes:
                self.rules[cls] = rule
            self._forget()
            return rule

        return add

    def _forget(self) -> None:
        """Drop what was looked up: a new rule may be nearer."""
        self.clear()
        for overlay in self._overlays:
            overlay._forget()

    def _nearest(self, cls: type) -> R:
        self._import_family(cls)
        for base in cls.__mro__:
            table: Dispatch[R] | None = self
            while table is not None:
                if base in table.rules:
                    return table.rules[base]
                table = table._below
        if self.default is None:
            raise LookupError(f"no rule for {cls.__name__}")
        return self.default

    def _import_family(self, cls: type) -> None:
        if self._below is not None:
            self._below._import_family(cls)
        for prefix in [prefix for prefix in self._families if cls.__module__.startswith(prefix)]:
            importlib.import_module(self._families[prefix])
            self._families.pop(prefix, None)  # only now: the import may be interrupted
