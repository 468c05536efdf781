"""Numbers for parts of programs: two parts have one number where they are the same under a naming.

A naming says what a name object counts as: its hint, nothing but its dtype, or the pair that it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable
from typing import Any

from tvmscript.ir.core.hashing import array_parts, float_bits, is_array
from tvmscript.ir.core.node import Node, Role

Naming = Callable[[Node], Hashable]


def fields_of(node: Node) -> list[tuple[str, Role]]:
    """The fields that a difference looks at: those of equality, and the name of a block."""
    fields = _FIELDS.get(type(node))
    if fields is None:
        fields = list(node.schema.compared)
        if not node.is_name and hasattr(node, "name_hint"):
            fields.insert(0, ("name_hint", Role.NOTE))
        _FIELDS[type(node)] = fields
    return fields


_FIELDS: dict[type, list[tuple[str, Role]]] = {}


class Ids:
    """Gives numbers. Numbers of one table are comparable, such as those of two programs with a naming each."""

    def __init__(self, naming: Naming, defined: Container[Node], table: dict[Hashable, int] | None = None) -> None:
        self.naming = naming
        #: names that the program defines; of others, each use tells what they are
        self.defined = defined
        self._numbers: dict[Hashable, int] = {} if table is None else table
        self._nodes: dict[int, int] = {}
        self._names: dict[tuple[Node, bool], int] = {}

    def number(self, key: Hashable) -> int:
        """The number of a key."""
        return self._numbers.setdefault(key, len(self._numbers))

    def of(self, value: Any, defining: bool = False) -> int:
        """The number of a node, or of whatever a field holds."""
        if isinstance(value, Node):
            if value.is_name:
                return self._name(value, defining)
            known = self._nodes.get(id(value))
            if known is None:
                known = self._nodes[id(value)] = self.number((type(value), *self._fields(value, False)))
            return known
        if isinstance(value, tuple | list):
            return self.number(("(", *[self.of(item, defining) for item in value]))
        if isinstance(value, dict):
            pairs = [(self.of(key), self.of(item, defining)) for key, item in value.items()]
            return self.number(("{", *sorted(pairs)))
        if isinstance(value, float):
            return self.number(("f", float_bits(value)))
        if is_array(value):
            return self.number(("a", array_parts(value)))
        return self.number((type(value), value))

    def _name(self, value: Node, defining: bool) -> int:
        whole = defining or value not in self.defined
        known = self._names.get((value, whole))
        if known is None:
            parts = self._fields(value, True) if whole else []
            known = self._names[value, whole] = self.number((type(value), self.naming(value), *parts))
        return known

    def _fields(self, value: Node, inherited: bool) -> list[int]:
        return [
            self.of(getattr(value, name), role in (Role.BINDS, Role.MATCHES) or (inherited and role is Role.CHILD))
            for name, role in fields_of(value)
        ]
