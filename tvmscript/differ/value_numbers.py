"""Value numbering modulo a renaming: equal numbers mean equal parts under a naming.

A naming maps a name object to a key: its hint, its dtype, or its pair in a pairing of two programs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable

from tvmscript.ir.core import DType
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.core.values.leaf_values import array_parts, float_bits, is_array
from tvmscript.ir.relax.expr import Var

Naming = Callable[[Node], Hashable]


def fields_of(node: Node) -> list[tuple[str, Role]]:
    """Return the compared fields: those of structural equality, and the name of a block."""
    fields = _FIELDS.get(type(node))
    if fields is None:
        fields = list(node.schema.compared)
        if not node.is_name and hasattr(node, "name_hint"):
            fields.insert(0, ("name_hint", Role.NOTE))
        _FIELDS[type(node)] = fields
    return fields


def name_class(name: Node) -> type:
    """Return the class of a name. A DataflowVar counts as a Var."""
    return Var if isinstance(name, Var) else type(name)


_FIELDS: dict[type, list[tuple[str, Role]]] = {}
#: class -> (field, whether it defines names, whether it does where the node itself is a definition)
_PLANS: dict[type, list[tuple[str, bool, bool]]] = {}


def _field_plan(node: Node) -> list[tuple[str, bool, bool]]:
    plan = _PLANS.get(type(node))
    if plan is None:
        defining = (Role.BINDS, Role.MATCHES)
        plan = [(name, role in defining, role in (*defining, Role.CHILD)) for name, role in fields_of(node)]
        _PLANS[type(node)] = plan
    return plan


class ValueNumbers:
    """Assigns value numbers. Two instances with one table assign comparable numbers."""

    def __init__(self, naming: Naming, defined: Container[Node], table: dict[Hashable, int] | None = None) -> None:
        self.naming = naming
        #: names that the program defines; other names are numbered by their fields
        self.defined = defined
        self._numbers: dict[Hashable, int] = {} if table is None else table
        self._nodes: dict[tuple[int, bool], int] = {}
        self._names: dict[tuple[Node, bool], int] = {}

    def number(self, key: Hashable) -> int:
        """Return the number of a key."""
        return self._numbers.setdefault(key, len(self._numbers))

    def of(self, value: object, defining: bool = False) -> int:
        """Return the number of a node or plain value."""
        if isinstance(value, Node):
            if value.is_name:
                return self._name(value, defining)
            inherited = defining and value.defines_inside
            value_number = self._nodes.get((id(value), inherited))
            if value_number is None:
                number = self.number((type(value), *self._parts(value, inherited)))
                value_number = self._nodes[id(value), inherited] = number
            return value_number
        if isinstance(value, (tuple, list)):
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
        value_number = self._names.get((value, whole))
        if value_number is None:
            key = type(value) if whole else name_class(value), self.naming(value)
            value_number = self._names[value, whole] = self.number(key)
            if whole:  # a tensor and its operation lead to each other: inside, the name has the number of its key
                value_number = self._names[value, whole] = self.number((*key, *self._parts(value, True)))
        return value_number

    def _parts(self, value: Node, inherited: bool) -> list[Hashable]:
        """Return the keys of the fields; keys of numbers, strings and tuples are disjoint."""
        parts: list[Hashable] = []
        for name, inner, inner_of_name in _field_plan(value):
            part = getattr(value, name)
            cls = part.__class__
            if cls is DType or cls is str or part is None:
                parts.append(part)
            elif cls is int:
                parts.append((part,))
            else:
                parts.append(self.of(part, inner_of_name if inherited else inner))
        return parts
