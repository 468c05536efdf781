"""Limits on expansion: a short text must not yield an unbounded program."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.node import Node

#: statements that macros and loops over Python values may expand to
MAX_STATEMENTS = 1 << 14
#: elements of nested tuples, and nodes of an expression that a macro takes
MAX_PARTS = 1 << 16
#: names visible to functions, and names kept by macros and lambdas
MAX_SEEN_NAMES = 1 << 29
MAX_KEPT_NAMES = 1 << 22


class Limits:
    """Remaining quantities for one text."""

    __slots__ = ("_kept", "_weights", "kept_names", "seen_names", "statements")

    def __init__(self) -> None:
        self.statements = MAX_STATEMENTS
        self.seen_names = MAX_SEEN_NAMES
        self.kept_names = MAX_KEPT_NAMES
        self._weights: dict[int, int] = {}
        # keeps check_size values alive, so that their ids are not reused
        self._kept: list[object] = []

    def fits(self, value: Any) -> bool:
        """Whether a new tuple, list or dict is within the limit, with shared elements counted at each occurrence."""
        items = value.values() if isinstance(value, dict) else value
        weights = self._weights
        weight = 1
        for item in items:
            weight += weights.get(id(item), 1) if isinstance(item, tuple | list | dict) else 1
        weights[id(value)] = weight
        self._kept.append(value)
        return weight <= MAX_PARTS


def is_large(value: object) -> bool:
    """Whether an expression has too many nodes, with shared nodes counted at each occurrence."""
    if not isinstance(value, Node):
        return False
    count = 0
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            count += 1
            if count > MAX_PARTS:
                return True
            if not item.is_name:
                stack += [getattr(item, name) for name in item.schema.walked]
        elif isinstance(item, tuple | list):
            stack += item
    return False
