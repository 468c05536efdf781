"""Names of a program (variables, buffers, functions), and the pairing of the names of two programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from tvmscript.differ.item_tree import Item, Part, Tree
from tvmscript.differ.value_numbers import fields_of, name_class
from tvmscript.ir.core import BaseFunc, GlobalVar
from tvmscript.ir.core.equality.hashing import sorted_keys
from tvmscript.ir.core.node import Node, Role


class Names:
    """The names of a program in a canonical order, and the names that it defines."""

    def __init__(self, program: object) -> None:
        #: name -> its position
        self.order: dict[Node, int] = {}
        self.defined: set[Node] = set()
        self._seen: set[int] = set()
        self._collect(program, False)

    def _collect(self, value: object, defining: bool) -> None:
        if isinstance(value, Node):
            if value.is_name:
                if defining:
                    self.defined.add(value)
                if value in self.order:
                    return
                self.order[value] = len(self.order)
            elif id(value) in self._seen:
                return
            else:
                self._seen.add(id(value))
            inherited = defining and (value.is_name or value.defines_inside)
            for name, inner, child in _name_fields(value):
                part = getattr(value, name)
                if part is not None:
                    self._collect(part, inner or (inherited and child))
        elif isinstance(value, (tuple, list)):
            for item in value:
                self._collect(item, defining)
        elif isinstance(value, dict):
            for key in sorted_keys(value, self.order):
                self._collect(key, False)
                self._collect(value[key], defining)


def _name_fields(node: Node) -> list[tuple[str, bool, bool]]:
    """Return the non-leaf fields of a class: (field, whether it defines names, whether it is a child)."""
    plan = _NAME_FIELDS.get(type(node))
    if plan is None:
        plan = _NAME_FIELDS[type(node)] = [
            (name, role in (Role.BINDS, Role.MATCHES), role is Role.CHILD)
            for name, role in node.schema.compared
            if role is not Role.LEAF
        ]
    return plan


_NAME_FIELDS: dict[type, list[tuple[str, bool, bool]]] = {}
_PLAIN = frozenset({str, int, float, bool, type(None)})


def by_hint(left: Names, right: Names) -> Callable[[Node], Hashable]:
    """Return the naming by identity for shared objects, by hint for others."""
    shared = left.order.keys() & right.order.keys()

    def naming(name: Any) -> Hashable:
        return id(name) if name in shared and not _is_global(name) else name.name_hint

    return naming


def ignore_names(name: Any) -> Hashable:
    """Naming that ignores names except those of functions: the key is the dtype."""
    return name.name_hint if _is_global(name) else getattr(name, "dtype", None)


def _is_global(name: object) -> bool:
    """Whether a name is compared by its hint: a GlobalVar."""
    return isinstance(name, GlobalVar)


class Pairing:
    """A bijection of names, built from shared objects, then definitions, then uses."""

    def __init__(self, left: Names, right: Names) -> None:
        self.left = left
        self.right = right
        self.forward: dict[Node, Node] = {}
        self.backward: dict[Node, Node] = {}
        #: functions of two modules by name
        self.functions: dict[str, str] = {}
        self._came: frozenset[str] = frozenset()
        for name in left.order:
            if name in right.order and not _is_global(name):
                self.pair(name, name)

    def left_naming(self, name: Any) -> Hashable:
        """Return the key of a left name: its pair, else itself."""
        if _is_global(name):
            return self.functions.get(name.name_hint, ("left", name.name_hint))
        return ("pair", id(name)) if name in self.forward else ("left", id(name))

    def right_naming(self, name: Any) -> Hashable:
        """Return the key of a right name: equal to that of its partner."""
        if _is_global(name):
            return name.name_hint if name.name_hint in self._new_functions() else ("left", name.name_hint)
        other = self.backward.get(name)
        return ("pair", id(other)) if other is not None else ("right", id(name))

    def _new_functions(self) -> frozenset[str]:
        if len(self._came) != len(self.functions):
            self._came = frozenset(self.functions.values())
        return self._came

    def pair(self, left: Any, right: Any) -> bool:
        """Pair two names of one class and the names in their fields. False where one has a partner already."""
        if (
            name_class(left) is not name_class(right)
            or left in self.forward
            or right in self.backward
            or _is_global(left)
        ):
            return False
        self.forward[left] = right
        self.backward[right] = left
        for name, _ in left.schema.compared:
            self.definitions(getattr(left, name), getattr(right, name), within=True)
        return True

    def definitions(self, left: object, right: object, within: bool) -> None:
        """Pair the names at equal positions of two values, outside of names only definitions."""
        if isinstance(left, Node) and isinstance(right, Node):
            if left.is_name and right.is_name:
                if within:
                    self.pair(left, right)
            elif type(left) is type(right):
                for name, role in left.schema.compared:
                    inner = within or role in (Role.BINDS, Role.MATCHES)
                    self.definitions(getattr(left, name), getattr(right, name), inner)
        elif isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
            if len(left) == len(right):
                for a, b in zip(left, right, strict=True):
                    self.definitions(a, b, within)
            elif within:
                self._by_hints(left, right)
        elif isinstance(left, dict) and isinstance(right, dict):
            for a, b in _entries(left, right, self.forward):
                self.definitions(a, b, within)

    def _by_hints(self, left: Sequence[object], right: Sequence[object]) -> None:
        """Pair elements of lists of different length by hint, then by dtype where the counts agree."""
        for tell, any_number in ((_hint, True), (_dtype, False)):
            groups: tuple[dict[object, list[object]], dict[object, list[object]]] = {}, {}
            for group, items, known in zip(groups, (left, right), (self.forward, self.backward), strict=True):
                for item in items:
                    if _name_of(item) not in known:
                        group.setdefault(tell(item), []).append(item)
            for key, items in groups[0].items():
                others = groups[1].get(key, [])
                if any_number or len(items) == len(others):
                    for a, b in zip(items, others, strict=False):
                        self.definitions(a, b, True)

    def take(self, pairs: dict[Node, Node]) -> None:
        """Add known pairs."""
        for left, right in pairs.items():
            if not _is_global(left):
                self.forward[left], self.backward[right] = right, left

    def pair_functions(self, left: Tree) -> None:
        """Add the matched functions of the modules."""
        for item in left.root.children:
            if isinstance(item.node, BaseFunc) and item.slot and item.partner is not None:
                self.functions[item.slot] = item.partner.slot

    def uses(self, pairs: Iterator[tuple[Item, Item]], free_too: bool) -> None:
        """Pair remaining names by the number of common positions: undeclared views and, if `free_too`, free variables.
        A definition on one side only has no partner."""
        votes: Counter[tuple[Node, Node]] = Counter()
        for a, b in pairs:
            for part, other in same_parts(a, b):
                self._vote(part.value, other.value, votes)
        same_hint = {pair: _hint(pair[0]) == _hint(pair[1]) for pair in votes}
        for left, right in sorted(votes, key=lambda pair: (-same_hint[pair], -votes[pair])):
            free = left not in self.left.defined and right not in self.right.defined
            if not free or free_too or self._views(left, right):
                self.pair(left, right)

    def _views(self, left: Any, right: Any) -> bool:
        """Whether two undefined names are views of paired memory."""
        if left.view_of is None:
            return False
        return self.forward.get(getattr(left, left.view_of)) is getattr(right, right.view_of)

    def _vote(self, left: object, right: object, votes: Counter[tuple[Node, Node]]) -> None:
        if isinstance(left, Node) and isinstance(right, Node):
            if type(left) is not type(right):
                return
            if left.is_name:
                if left not in self.forward and right not in self.backward and not _is_global(left):
                    votes[left, right] += 1
                return
            for name, _ in fields_of(left):
                part = getattr(left, name)
                if part.__class__ not in _PLAIN:
                    self._vote(part, getattr(right, name), votes)
        elif isinstance(left, tuple) and isinstance(right, tuple):
            for a, b in zip(left, right, strict=False):
                self._vote(a, b, votes)


def same_parts(a: Item, b: Item) -> Iterator[tuple[Part, Part]]:
    """Yield the corresponding parts of two items of equal kind."""
    others = {part.steps: part for part in b.own}
    for part in a.own:
        other = others.get(part.steps)
        if other is not None:
            yield part, other


def _name_of(item: object) -> object:
    """Return the name that an element defines: a parameter, the variable of an axis, the buffer of a match."""
    return getattr(item, "var", getattr(item, "buffer", item))


def _hint(item: object) -> object:
    return getattr(_name_of(item), "name_hint", None)


def _dtype(item: object) -> object:
    return getattr(_name_of(item), "dtype", None)


def _entries(
    left: dict[object, object], right: dict[object, object], forward: dict[Node, Node]
) -> Iterator[tuple[object, object]]:
    """Yield the values under corresponding keys."""
    for key, value in left.items():
        other = forward.get(key, key) if isinstance(key, Node) else key
        if other in right:
            yield value, right[other]


def pair_names(left: Tree, right: Tree, names: tuple[Names, Names], map_free_vars: bool) -> Pairing:
    """Return the pairing of names by the matched items of two trees. `map_free_vars` pairs free names too."""
    pairing = Pairing(*names)
    pairing.pair_functions(left)
    pairs = [(item, item.partner) for item in left.items if item.partner is not None]
    for a, b in pairs:
        for part, other in same_parts(a, b):
            pairing.definitions(part.value, other.value, part.defining)
    pairing.uses(iter(pairs), map_free_vars)
    return pairing
