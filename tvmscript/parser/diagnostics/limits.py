"""How much a text may grow while it is read: a short text must not become an endless program."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.node import Node

#: Statements that macros and loops over Python values may write out.
MAX_STATEMENTS = 1 << 14
#: Parts of one value: elements of nested tuples, nodes of an expression that is handed on as a whole.
MAX_PARTS = 1 << 16
#: Names around functions: each function sees those before it, each macro and lambda keeps them.
MAX_SEEN_NAMES = 1 << 29
MAX_KEPT_NAMES = 1 << 22


class Limits:
    """What is left; one for everything that is read from a text."""

    __slots__ = ("_kept", "_weights", "kept_names", "seen_names", "statements")

    def __init__(self) -> None:
        self.statements = MAX_STATEMENTS
        self.seen_names = MAX_SEEN_NAMES
        self.kept_names = MAX_KEPT_NAMES
        self._weights: dict[int, int] = {}
        # what has a weight stays alive, so that its id stays its own
        self._kept: list[Any] = []

    def fits(self, value: Any) -> bool:
        """Whether a new tuple, list or dict is small enough, counting shared elements as often as they are reached."""
        items = value.values() if isinstance(value, dict) else value
        weights = self._weights
        weight = 1
        for item in items:
            weight += weights.get(id(item), 1) if isinstance(item, tuple | list | dict) else 1
        weights[id(value)] = weight
        self._kept.append(value)
        return weight <= MAX_PARTS


def is_large(value: Any) -> bool:
    """Whether an expression has too many nodes, counting shared ones as often as they are reached."""
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
