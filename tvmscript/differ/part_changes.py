"""Changes between matched parts: the smallest differing expressions, fields and elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tvmscript.differ.change import Change, Kind
from tvmscript.differ.item_tree import Item, Steps, path_text
from tvmscript.differ.names import Pairing, same_parts
from tvmscript.differ.sequence_diff import align
from tvmscript.differ.value_numbers import ValueNumbers, fields_of
from tvmscript.ir.core import structural_equal
from tvmscript.ir.core.equality.mismatch_words import field_text as field_word
from tvmscript.ir.core.equality.mismatch_words import value_text, with_article
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.relax.expr import DataflowVar, VarBinding
from tvmscript.ir.tir import BinaryOp, Buffer, Expr, FloatImm, IntImm, StringImm

_CONSTANTS = IntImm | FloatImm | StringImm


def field_name(steps: Steps) -> str:
    """Return the readable name of the field at a path."""
    names = [step for step in steps if isinstance(step, str)]
    return field_word(names[-1]) if names else "expression"


class PartChanges:
    """Finds the changes between the parts of matched items, under a pairing of names."""

    def __init__(self, left: ValueNumbers, right: ValueNumbers, pairing: Pairing) -> None:
        self.left = left
        self.right = right
        self.pairing = pairing
        #: names whose definitions were compared
        self.defined: set[Node] = set()

    def between(self, a: Item, b: Item) -> Iterator[Change]:
        """Yield the changes between the own parts of two matched items."""
        paths: tuple[Steps, Steps] | None = None
        for part, other in same_parts(a, b):
            defining = part.defining
            if not part.note and self.left.of(part.value, defining) != self.right.of(other.value, defining):
                if _has_inferred_info(a) and _has_inferred_info(b):
                    self.defined.add(a.node.var)
                paths = paths or (a.path(), b.path())
                yield from self._values(
                    part.value, other.value, paths[0] + part.steps, paths[1] + other.steps, defining
                )

    def _values(self, left: object, right: object, at: Steps, to: Steps, defining: bool) -> Iterator[Change]:
        if self.left.of(left, defining) == self.right.of(right, defining):
            return
        if isinstance(left, Node) and isinstance(right, Node):
            yield from self._nodes(left, right, at, to, defining)
        elif isinstance(left, tuple) and isinstance(right, tuple):
            yield from self._elements(left, right, at, to, defining)
        elif isinstance(left, dict) and isinstance(right, dict):
            yield from self._entries(left, right, at, to, defining)
        elif left is None:
            yield _make_change("insert", f"{field_name(to)} added", None, right, at, to)
        elif right is None:
            yield _make_change("delete", f"{field_name(at)} removed", left, None, at, to)
        else:
            yield _make_change(
                "update", f"{field_name(at)} {value_text(left)} against {value_text(right)}", left, right, at, to
            )

    def _nodes(self, left: Any, right: Any, at: Steps, to: Steps, defining: bool) -> Iterator[Change]:
        if left.is_name and right.is_name:
            yield from self._names(left, right, at, to, defining)
        elif type(left) is not type(right):
            yield _make_change("replace", self._reason(left, right, at), left, right, at, to)
        elif isinstance(left, _CONSTANTS):
            reason = f"{field_name(at)} {format_constant(left)} against {format_constant(right)}"
            if left.dtype is not right.dtype:
                reason = f"dtype {left.dtype} against {right.dtype}"
                if left.value != right.value:
                    reason += f" of {format_constant(left)} against {format_constant(right)}"
            yield _make_change("replace", reason, left, right, at, to)
        else:
            yield from self._fields(left, right, at, to, False)

    def _names(self, left: Any, right: Any, at: Steps, to: Steps, defining: bool) -> Iterator[Change]:
        kind = {"Buffer": "buffer", "GlobalVar": "function"}.get(type(left).__name__, "variable")
        if self.left.number(self.left.naming(left)) != self.right.number(self.right.naming(right)):
            if left.name_hint == right.name_hint:
                reason = f"same text, different {kind} identity: {left.name_hint}"
            else:
                reason = f"{kind} {left.name_hint} against {right.name_hint}"
            yield _make_change("replace", reason, left, right, at, to)
            return
        if defining and type(left) is not type(right):
            seen = "no longer seen" if isinstance(right, DataflowVar) else "seen"
            reason = f"{left.name_hint} is {seen} outside of its dataflow block"
            yield _make_change("update", reason, left, right, at, to)
        if left not in self.defined:
            self.defined.add(left)
            yield from self._fields(left, right, at, to, defining)

    def _fields(self, left: Any, right: Any, at: Steps, to: Steps, inherited: bool) -> Iterator[Change]:
        direct: list[Change] = []
        derived: list[Change] = []
        fields = [name for name, _ in fields_of(left)]
        changed = 0
        for name, role in fields_of(left):
            inner = role in (Role.BINDS, Role.MATCHES) or (inherited and role is Role.CHILD)
            changes = list(self._values(getattr(left, name), getattr(right, name), (*at, name), (*to, name), inner))
            changed += bool(changes) and name != "dtype"
            (derived if name == "dtype" and isinstance(left, Expr) else direct).extend(changes)
        if isinstance(left, Buffer) and left.dtype is not right.dtype:
            # the type of the data pointer is derived
            direct = [change for change in direct if not (change.left_path or "").startswith(f"{path_text(at)}.data.")]
        if isinstance(left, BinaryOp) and changed == len(fields) - 1:
            yield _make_change("replace", self._reason(left, right, at), left, right, at, to)
        else:
            yield from direct or derived

    def _reason(self, left: object, right: object, at: Steps) -> str:
        """Describe a replacement: operands swapped, wrapped, unwrapped, or another expression."""
        if isinstance(left, BinaryOp) and isinstance(right, BinaryOp) and type(left) is type(right):
            swapped = self._same(left.a, right.b) and self._same(left.b, right.a)
            return "operands swapped" if swapped else f"{field_name(at)} replaced"
        if any(self._same(left, part) for part in _operands(right)):
            return f"{field_name(at)} wrapped in {with_article(right)}"
        if any(self._same(part, right) for part in _operands(left)):
            return f"{field_name(at)} taken out of {with_article(left)}"
        return f"{field_name(at)}: {with_article(left)} against {with_article(right)}"

    def _same(self, left: object, right: object) -> bool:
        return self.left.of(left) == self.right.of(right)

    def _elements(
        self, left: tuple[object, ...], right: tuple[object, ...], at: Steps, to: Steps, defining: bool
    ) -> Iterator[Change]:
        if len(left) == len(right):
            for index, (a, b) in enumerate(zip(left, right, strict=True)):
                yield from self._values(a, b, (*at, index), (*to, index), defining)
            return
        # lists of different length: align elements by value number or name
        pairs = align(
            [_key(item, defining, self.left) for item in left], [_key(item, defining, self.right) for item in right]
        )
        is_definition = defining and any(_is_name(item) for item in (*left, *right))
        if not pairs and left and right and isinstance(left[0], Expr) and not is_definition:
            yield _make_change("replace", f"{field_name(at)}: {len(left)} against {len(right)}", left, right, at, to)
            return
        begin_a = begin_b = 0
        for i, j in [*pairs, (len(left), len(right))]:
            while begin_a < i and begin_b < j:
                yield from self._values(left[begin_a], right[begin_b], (*at, begin_a), (*to, begin_b), defining)
                begin_a, begin_b = begin_a + 1, begin_b + 1
            for index in range(begin_a, i):
                reason = f"{field_name(at)} {_name_prefix(left[index])}removed"
                yield _make_change("delete", reason, left[index], None, (*at, index), to)
            for index in range(begin_b, j):
                reason = f"{field_name(to)} {_name_prefix(right[index])}added"
                yield _make_change("insert", reason, None, right[index], at, (*to, index))
            if i < len(left):
                yield from self._values(left[i], right[j], (*at, i), (*to, j), defining)
            begin_a, begin_b = i + 1, j + 1

    def _entries(
        self, left: dict[object, object], right: dict[object, object], at: Steps, to: Steps, defining: bool
    ) -> Iterator[Change]:
        partners: dict[object, object] = {}
        for key in left:
            other = self.pairing.forward.get(key, key) if isinstance(key, Node) else key
            if other in right:
                partners[other] = key
        for key, value in left.items():
            other = self.pairing.forward.get(key, key) if isinstance(key, Node) else key
            label, other_label = _label(key), _label(other)
            if other in right:
                yield from self._values(value, right[other], (*at, label), (*to, other_label), defining)
            else:
                yield _make_change("delete", f"{field_name(at)} {label} removed", value, None, (*at, label), to)
        for key, value in right.items():
            if key not in partners:
                yield _make_change(
                    "insert", f"{field_name(to)} {_label(key)} added", None, value, at, (*to, _label(key))
                )


def _key(item: Any, defining: bool, ids: ValueNumbers) -> int:
    """Return the alignment key of an element: the name that it defines, else its value number."""
    name = getattr(item, "var", getattr(item, "buffer", item)) if defining else item
    return ids.number(("element", ids.naming(name))) if _is_name(name) else ids.of(item, defining)


def _has_inferred_info(item: Item) -> bool:
    """Whether the struct info of a bound variable is inferred from its value, so that its change is implied."""
    if not isinstance(item.node, VarBinding):
        return False
    known, inferred = item.node.var.struct_info, item.node.value.struct_info
    return known is inferred or structural_equal(known, inferred)


def _is_name(value: object) -> bool:
    return isinstance(value, Node) and value.is_name


def _make_change(kind: Kind, reason: str, left: object, right: object, at: Steps, to: Steps) -> Change:
    return Change(
        kind,
        reason,
        None if kind == "insert" else path_text(at),
        None if kind == "delete" else path_text(to),
        left,
        right,
    )


def _operands(node: Any) -> Iterator[Any]:
    """Yield the child expressions of a node."""
    for name, _ in fields_of(node):
        value = getattr(node, name)
        if isinstance(value, Expr):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Expr))


def _label(key: object) -> str:
    return str(getattr(key, "name_hint", key))


def _name_prefix(item: Any) -> str:
    name = getattr(item, "var", getattr(item, "buffer", item))
    return f"{name.name_hint} " if _is_name(name) else ""


def format_constant(value: Any) -> str:
    """Format a constant for a reason."""
    return repr(value.value) if isinstance(value, StringImm) else str(value.value)
