"""Limits on expansion: a short text must not yield an unbounded program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from tvmscript.ir.core import Node

#: statements that macros and loops over Python values may expand to
MAX_STATEMENTS = 1 << 14
#: elements of nested tuples, and nodes of an expression that a macro takes
MAX_PARTS = 1 << 16
#: names visible to functions, and names kept by macros and lambdas
MAX_SEEN_NAMES = 1 << 29
MAX_KEPT_NAMES = 1 << 22
#: bytes of all Python values that a text computes or hands on, and how many more for each of its characters
MAX_BYTES = 1 << 25
_BYTES_OF_CHARACTER = 64
#: what an element of a list counts
_BYTES_OF_ELEMENT = 64
#: elements of a tuple, list or dict whose weight is not kept
_FEW = 16
#: nodes of the type of a variable, shared ones counted at each occurrence
_MAX_TYPE = 1 << 16
#: nodes of the programs of a text, shared ones counted at each occurrence, and how many more for each character
MAX_NODES = 1 << 22
_NODES_OF_CHARACTER = 8
#: class -> the function that gets what its values hold, or None if they hold nothing
_PARTS: Final[dict[type, Callable[[Any], Iterable[object]] | None]] = {tuple: iter, list: iter, dict: dict.values}
#: Python values with elements
CONTAINERS: Final = frozenset({str, tuple, list, dict})


class Limits:
    """Remaining quantities for one text."""

    __slots__ = ("_kept", "_sizes", "_weights", "bytes", "kept_names", "nodes", "seen_names", "statements")

    def __init__(self, characters: int = 0) -> None:
        self.statements = MAX_STATEMENTS
        self.seen_names = MAX_SEEN_NAMES
        self.kept_names = MAX_KEPT_NAMES
        self.bytes = MAX_BYTES + _BYTES_OF_CHARACTER * characters
        self.nodes = MAX_NODES + _NODES_OF_CHARACTER * characters
        self._weights: dict[int, int] = {}
        #: expression that macros take -> its nodes
        self._sizes: dict[int, int] = {}
        # keeps these values alive, so that their ids are not reused
        self._kept: list[object] = []

    def fits(self, value: Any) -> bool:
        """Whether a new tuple, list or dict is within the limit, with shared elements counted at each occurrence."""
        return self._weight(value) <= MAX_PARTS

    def _weight(self, value: Any) -> int:
        """Count the elements of nested tuples, lists and dicts; each large one is visited once."""
        if len(value) <= _FEW and CONTAINERS.isdisjoint(map(type, value.values() if type(value) is dict else value)):
            return 1 + len(value)
        weight = self._weights.get(id(value))
        if weight is None:
            weight = 1
            for item in value.values() if isinstance(value, dict) else value:
                weight += self._weight(item) if isinstance(item, (tuple, list, dict)) else 1
            self._weights[id(value)] = weight
            self._kept.append(value)
        return weight

    def takes(self, value: Any) -> bool:
        """Whether a string or container may be computed, copied or walked once more."""
        self.bytes -= len(value) if type(value) is str else _BYTES_OF_ELEMENT * self._weight(value)
        return self.bytes >= 0

    def is_large(self, value: object) -> bool:
        """Whether an expression has too many nodes, with shared nodes counted at each occurrence."""
        if not isinstance(value, Node):
            return False
        size = self._sizes.get(id(value))
        if size is None:
            size = self._sizes[id(value)] = count_nodes(value, MAX_PARTS)
            self._kept.append(value)
        return size > MAX_PARTS

    def takes_node(self, value: Node) -> bool:
        """Whether an expression or type may be part of the program once more."""
        size = count_nodes(value, _MAX_TYPE)
        self.nodes -= size
        return size <= _MAX_TYPE and self.nodes >= 0

    def holds(self, program: Node) -> bool:
        """Whether a program is within the limit, with shared nodes counted at each occurrence."""
        self.nodes -= count_nodes(program, self.nodes)
        return self.nodes >= 0


def count_nodes(value: Node, limit: int) -> int:
    """Count the nodes, tuples and fields of a program, shared ones at each occurrence; stop above the limit."""
    count = 0
    stack: list[Any] = [value]
    pop = stack.pop
    while stack and count <= limit:
        item = pop()
        count += 1
        try:
            parts_of = _PARTS[item.__class__]
        except KeyError:
            parts_of = _PARTS[item.__class__] = _parts_getter(item)
        if parts_of is not None:
            stack += parts_of(item)
    return count


def _parts_getter(item: object) -> Callable[[Any], Iterable[object]] | None:
    """Return the function that gets what the nodes of a class hold, or None if they hold nothing."""
    return item.schema.last_parts_first if isinstance(item, Node) and not item.is_name and item.schema.walked else None
