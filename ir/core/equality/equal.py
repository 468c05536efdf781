"""Structural equality of programs, up to renaming of bound variables.

Definitions (fields that bind or match) are paired as they are met, so equality is a bijection of
variables, not a comparison of names. Floats are compared by their bits: nan equals the same nan, 0.0 is not -0.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tvmscript.ir.core.equality.mismatch_words import field_text, value_text, with_article
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.core.values.leaf_values import array_parts, float_bits, is_array
from tvmscript.ir.core.visit import nodes

#: Mismatches that one comparison lists at most.
MOST_MISMATCHES = 100
#: Characters of a part that a message shows.
_LONGEST_PART = 300

#: fields whose constant is told by their own name: "extent 16 against 32"
_NAMED_CONSTANTS = frozenset({"extent", "min", "predicate"})


class NotEqual(IRError, ValueError, code="TS1020"):
    """Two programs were asserted to be the same, and are not.

    The message lists every mismatch with its path from the root and the reason in words, and shows the difference
    as a script. `facts` has `path`, `reason`, `left` and `right` of the first one.
    """

    message = "the programs differ at {path}: {reason}{details}"


class Mismatch(NamedTuple):
    """One difference of two programs: path, reason, both parts."""

    #: Python access from the root, such as `<root>.body.seq[1].value`
    path: str
    reason: str
    left: object
    right: object


class _Enough(Exception):
    """The limit of mismatches is reached."""


class _Comparison:
    """Walk two programs in parallel, pair their names, and collect up to `limit` mismatches."""

    def __init__(self, left: object, right: object, map_free_vars: bool, limit: int) -> None:
        self.map_free_vars = map_free_vars
        #: memory that nothing in a function or a module defines belongs to it, as in TVM
        self.owns_memory = isinstance(left, (BaseFunc, IRModule))
        self.roots = (left, right)
        #: names that the programs define somewhere; filled where a free one is met
        self.defined: tuple[set[Node], set[Node]] | None = None
        self.limit = limit
        self.forward: dict[Node, Node] = {}
        self.backward: dict[Node, Node] = {}
        self.mismatches: list[Mismatch] = []
        #: steps from the root: a field, an index, a key in quotes
        self.steps: list[str | int] = []
        #: pairs of parts that are the same; a part that occurs at several places is looked at once
        self.same: dict[int, int] = {}

    def report(self, reason: str, left: object, right: object) -> None:
        """Note a mismatch here."""
        if self.limit == 0:
            raise _Enough
        self.mismatches.append(Mismatch(path_text(self.steps), reason, left, right))
        if len(self.mismatches) >= self.limit:
            raise _Enough

    def compare(self, left: object, right: object, defining: bool) -> None:
        """Report each mismatch of two values; `defining` pairs unknown names."""
        if isinstance(left, Node):
            if type(left) is not type(right):
                self.report(_kinds(left, right), left, right)
            elif left.is_name:
                self._name(left, right, defining)
            elif self.same.get(id(left)) != id(right):
                before = len(self.mismatches)
                self._fields(left, right, defining)
                if len(self.mismatches) == before:
                    self.same[id(left)] = id(right)
        elif isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
            self._sequence(left, right, defining)
        elif isinstance(left, dict) and isinstance(right, dict):
            self._mapping(left, right, defining)
        elif isinstance(left, float) and isinstance(right, float):
            if float_bits(left) != float_bits(right):
                self.report(self._values(left, right), left, right)
        elif is_array(left) and is_array(right):
            if array_parts(left) != array_parts(right):
                self.report("the constant data differ", left, right)
        elif type(left) is not type(right) or left != right:
            self.report(self._values(left, right), left, right)

    def _values(self, left: object, right: object) -> str:
        """`loop kind serial against parallel`, by the field that holds the values."""
        if self.limit == 0:  # nobody asked for words, which print whole programs
            raise _Enough
        fields = [step for step in self.steps[-2:] if isinstance(step, str)]
        subject = fields[-1] if fields else "value"
        if subject == "value" and len(fields) == 2 and fields[0] in _NAMED_CONSTANTS:
            subject = fields[0]
        if left is None or right is None:
            return f"{field_text(subject)}: {value_text(left)} against {value_text(right)}"
        return f"{field_text(subject)} {value_text(left)} against {value_text(right)}"

    def _name(self, left: Any, right: Any, defining: bool) -> None:
        partner = self.forward.get(left)
        other = self.backward.get(right)
        if partner is not None or other is not None:
            if partner is not right:
                self.report(_identities(left, right, "stands for different definitions"), left, right)
        elif defining or self.map_free_vars or self._is_known_view(left, right):
            self.forward[left] = right
            self.backward[right] = left
            self._fields(left, right, defining)
        elif left is right or left.same_name(right):
            return
        elif self._is_defined_later(left, right):
            self._name(left, right, True)
        else:
            self.report(_identities(left, right, "is another free one on each side"), left, right)

    def _is_defined_later(self, left: object, right: object) -> bool:
        """Return whether both programs use the name before its definition, as loop annotations do."""
        if not self.owns_memory or isinstance(left, GlobalVar):
            return False
        if self.defined is None:
            self.defined = definitions(self.roots[0]), definitions(self.roots[1])
        return left in self.defined[0] and right in self.defined[1]

    def _is_known_view(self, left: Any, right: Any) -> bool:
        """Return whether two undeclared buffers are views of the same data variable."""
        if left.view_of is None or left is right:
            return False
        memory, other = getattr(left, left.view_of), getattr(right, right.view_of)
        if memory is other:
            return True
        if self.owns_memory and memory not in self.forward and other not in self.backward:
            self.compare(memory, other, True)
        return self.forward.get(memory) is other

    def _fields(self, left: Any, right: object, defining: bool) -> None:
        steps = self.steps
        inherited = defining and (left.is_name or left.defines_inside)
        for name, role in left.schema.compared:
            inner = role is Role.BINDS or role is Role.MATCHES or (inherited and role is Role.CHILD)
            steps.append(name)
            self.compare(getattr(left, name), getattr(right, name), inner)
            steps.pop()

    def _sequence(self, left: Any, right: Any, defining: bool) -> None:
        if len(left) == len(right):
            for index, (a, b) in enumerate(zip(left, right, strict=True)):
                self.steps.append(index)
                self.compare(a, b, defining)
                self.steps.pop()
            return
        if self.limit <= 1:
            self.report(f"{len(left)} and {len(right)} elements", left, right)
            return
        # what stands before and after the place where elements came or went is the same
        shorter = min(len(left), len(right))
        begin = end = 0
        while begin < shorter and self._is_same(left[begin], right[begin], defining):
            begin += 1
        while begin + end < shorter and self._is_same(left[-1 - end], right[-1 - end], defining):
            end += 1
        where = _extent(begin, len(left) - end, len(right) - end)
        self.report(f"{len(left)} and {len(right)} elements: {where}", left, right)

    def _is_same(self, left: object, right: object, defining: bool) -> bool:
        """Return whether two parts are equal; if not, undo the mismatch and the pairings."""
        limit, count, depth, names = self.limit, len(self.mismatches), len(self.steps), len(self.forward)
        self.limit = count + 1
        try:
            self.compare(left, right, defining)
        except _Enough:
            del self.mismatches[count:], self.steps[depth:]
            while len(self.forward) > names:
                self.backward.pop(self.forward.popitem()[1])
            self.same.clear()
            return False
        finally:
            self.limit = limit
        return True

    def _mapping(self, left: dict[Any, Any], right: dict[Any, Any], defining: bool) -> None:
        by_name = {getattr(key, "name_hint", ""): key for key in right}
        paired: set[object] = set()
        for key, value in left.items():
            other = self._partner(key, right, by_name)
            if other is None:
                self.report(f"{_label(key)} is on the left side alone", left, right)
                continue
            paired.add(other)
            self.steps.append(_label(key))
            self.compare(value, right[other], defining)
            self.steps.pop()
        for key in right:
            if key not in paired:
                self.report(f"{_label(key)} is on the right side alone", left, right)

    def _partner(self, key: object, right: dict[Any, Any], by_name: dict[str, Any]) -> Any:
        """Return the key of `right` that corresponds: an equal string, or a paired or equally named name object."""
        if not isinstance(key, Node):
            return key if key in right else None
        partner = self.forward.get(key)
        if partner is not None:
            return partner if partner in right else None
        if key in right:
            return key
        other = by_name.get(getattr(key, "name_hint", ""))
        return other if other is not None and key.same_name(other) else None


def definitions(root: Any) -> set[Node]:
    """Return the names that a program binds."""
    names: set[Node] = set()
    for part in nodes(root):
        for name, role in part.schema.compared:
            if role is Role.BINDS:
                value = getattr(part, name)
                names.update(value if isinstance(value, (tuple, dict)) else [value])
    return names


def path_text(steps: list[str | int]) -> str:
    """Return a path as Python access: `<root>.body.seq[1].value`."""
    parts = [f"[{step}]" if isinstance(step, int) or step[:1] in "'\"" else f".{step}" for step in steps]
    return "<root>" + "".join(parts)


def _label(key: object) -> str:
    return repr(getattr(key, "name_hint", key))


def _kinds(left: object, right: object) -> str:
    words = ["nothing" if item is None else with_article(item) for item in (left, right)]
    return f"{words[0]} against {words[1]}"


def _identities(left: Any, right: Any, what: str) -> str:
    kind = "variable" if type(left).__name__.endswith("Var") else type(left).__name__.lower()
    if type(left).__name__ == "GlobalVar":
        return f"function {left.name_hint} against {right.name_hint}"
    if left.name_hint == right.name_hint:
        return f"same text, different {kind} identity: {left.name_hint} {what}"
    return f"{kind} {left.name_hint} against {right.name_hint}"


def _extent(begin: int, left_end: int, right_end: int) -> str:
    """Return the elements of two sequences that have no partner, as text."""

    def places(end: int) -> str:
        return f"[{begin}]" if end - begin == 1 else f"[{begin}] to [{end - 1}]"

    if left_end == begin:
        return f"{places(right_end)} on the right side alone"
    if right_end == begin:
        return f"{places(left_end)} on the left side alone"
    return f"{places(left_end)} against {places(right_end)}"


@deep_recursion
def mismatches(
    left: object, right: object, map_free_vars: bool = False, limit: int = MOST_MISMATCHES
) -> list[Mismatch]:
    """Return the differences of two programs in program order, at most `limit`.

    Sequences of different lengths are one mismatch, which says which elements have no partner.
    """
    comparison = _Comparison(left, right, map_free_vars, limit)
    with suppress(_Enough):
        comparison.compare(left, right, False)
    return comparison.mismatches


def get_first_structural_mismatch(
    lhs: object, rhs: object, map_free_vars: bool = False, skip_ndarray_content: bool = False
) -> tuple[str, str] | None:
    """Return the path to the first difference of two programs, once for each of them; None where there is none."""
    differences = mismatches(lhs, rhs, map_free_vars, 1)
    return (differences[0].path, differences[0].path) if differences else None


@deep_recursion
def paired_names(left: object, right: object, map_free_vars: bool = False) -> dict[Node, Node] | None:
    """Return the pairing of bound names of two equal programs; None if the programs differ."""
    comparison = _Comparison(left, right, map_free_vars, 0)
    try:
        comparison.compare(left, right, False)
    except _Enough:
        return None
    return comparison.forward


def first_difference(left: object, right: object, map_free_vars: bool = False) -> Mismatch | None:
    """Return the first difference of two programs, None if they are equal."""
    return next(iter(mismatches(left, right, map_free_vars, 1)), None)


def structural_equal(lhs: object, rhs: object, map_free_vars: bool = False) -> bool:
    """Return whether two programs are equal up to renaming of bound variables.

    Free variables must be the same objects, unless `map_free_vars` pairs them as they are met. Buffers that a function
    uses and nothing declares belong to it.
    """
    return paired_names(lhs, rhs, map_free_vars) is not None


@hook
def explain_mismatches(left: object, right: object, mismatches: Sequence[Mismatch]) -> str:
    """Return the details below the first line of a `NotEqual` message; empty where the programs have no script."""
    raise NotImplementedError


def assert_structural_equal(lhs: object, rhs: object, map_free_vars: bool = False) -> None:
    """Raise `NotEqual` with every mismatch and a diff of the scripts, unless the programs are the same."""
    if structural_equal(lhs, rhs, map_free_vars):
        return
    differences = mismatches(lhs, rhs, map_free_vars)
    first = differences[0]
    details = explain_mismatches(lhs, rhs, differences)
    if not details:
        details = f"\n  left:  {_short(first.left)}\n  right: {_short(first.right)}"
    raise NotEqual(path=first.path, reason=first.reason, left=first.left, right=first.right, details=details)


def _short(part: object) -> str:
    text = str(part)
    return text if len(text) <= _LONGEST_PART else f"{text[:_LONGEST_PART]} ..."
