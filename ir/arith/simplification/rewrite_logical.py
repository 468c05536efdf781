"""Simplification of conjunctions and disjunctions. A `ConnectiveRule` is one of:

- `simplify_in_order`: simplify each operand under the operands before it, as in short-circuit evaluation;
- `simplify_pairwise`: combine operands that are opposites, or bounds of one value (TVM without extensions);
- `simplify_branches`: simplify each of two operands under the other (TVM: apply_constraints_to_boolean_branches);
- `convert_to_and_of_ors`: rewrite as a conjunction of disjunctions and compare their operands in pairs
  (TVM: convert_boolean_to_and_of_ors).
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from functools import reduce

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.engine import ConnectiveRule, Engine
from tvmscript.ir.arith.fold import FALSE, TRUE, is_const
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.core import BOOL
from tvmscript.ir.tir import EQ, GE, GT, LE, LT, NE, And, CompareOp, Expr, FloorDiv, FloorMod, IntImm, Not, Or, can_drop


def flatten_chain(node: And | Or) -> list[Expr]:
    """Return the operands of nested conjunctions (disjunctions), from left to right."""
    cls, operands, left = type(node), [node.b], node.a
    while type(left) is cls:
        operands.append(left.b)
        left = left.a
    operands.append(left)
    return operands[::-1]


def simplify_in_order(engine: Engine, node: And | Or) -> Expr:
    """Simplify each operand of a chain, assuming that those before it did not decide the result."""
    is_and, operands = isinstance(node, And), flatten_chain(node)
    neutral: Expr = node
    kept: dict[Hashable, Expr] = {}
    with engine.facts.scope():
        for operand in operands:
            simplified = engine.simplify(operand)
            if is_const(simplified, not is_and) and (not kept or all(map(can_drop, kept.values()))):
                return simplified
            if is_const(simplified, is_and):
                neutral = simplified
            else:
                kept.setdefault(structural_key(simplified), simplified)
                engine.facts.add(simplified, is_and)
    values = list(kept.values())
    if len(values) == len(operands) and all(value is operand for value, operand in zip(values, operands, strict=True)):
        return node
    if not values:
        return neutral
    return reduce(type(node), values)


def simplify_pairwise(engine: Engine, node: And | Or) -> Expr:
    """Simplify both operands independently, then combine them."""
    return _combine(engine, node, engine.simplify(node.a), engine.simplify(node.b))


def simplify_branches(engine: Engine, node: And | Or) -> Expr:
    """Simplify each operand, assuming that the other does not decide the result, until nothing changes."""
    holds = isinstance(node, And)
    a, b, unchanged = node.a, node.b, 0
    for turn in range(4):
        known, operand = (b, a) if turn % 2 == 0 else (a, b)
        with engine.facts.assuming(known, holds):
            simplified = _constant(holds) if expr_deep_equal(known, operand) else engine.simplify(operand)
        unchanged = unchanged + 1 if simplified is operand else 0
        a, b = (simplified, b) if turn % 2 == 0 else (a, simplified)
        if unchanged == 2:
            break
    return _combine(engine, node, a, b)


def _constant(holds: bool) -> Expr:
    return TRUE if holds else FALSE


def convert_to_and_of_ors(way: ConnectiveRule) -> ConnectiveRule:
    """Return a rule that applies `way`, then merges operands of a conjunction of disjunctions in pairs."""

    def simplify(engine: Engine, node: And | Or) -> Expr:
        condition = way(engine, node)
        if not isinstance(condition, (And, Or)) or condition.dtype is not BOOL:
            return condition
        with _using_rule(engine, way):
            clauses = _Clauses(engine, condition).simplify()
        if not clauses:
            return TRUE
        result = reduce(And, [reduce(Or, clause) if clause else FALSE for clause in clauses])
        return condition if expr_deep_equal(result, condition) else result

    return simplify


@contextmanager
def _using_rule(engine: Engine, way: ConnectiveRule) -> Generator[None, None, None]:
    """Use another rule for connectives inside the context."""
    before, engine.connectives = engine.connectives, way
    try:
        with engine.facts.fresh():
            yield
    finally:
        engine.connectives = before


class _Clauses:
    """A condition in conjunctive normal form: a list of disjunctions."""

    def __init__(self, engine: Engine, condition: Expr) -> None:
        self.engine = engine
        self.clauses = self.split(condition)

    def split(self, condition: Expr) -> list[list[Expr]]:
        if isinstance(condition, And):
            return [*self.split(condition.a), *self.split(condition.b)]
        if isinstance(condition, Or):
            return [_unite_clauses(a, b) for a in self.split(condition.a) for b in self.split(condition.b)]
        return [[condition]]

    def simplify(self) -> list[list[Expr]]:
        for clause in self.clauses:
            self._merge_within(clause)
        self.clauses = [clause for clause in self.clauses if not any(is_const(part, 1) for part in clause)]
        self._merge_across()
        return self.clauses

    def _merge_within(self, clause: list[Expr]) -> None:
        """Merge pairs of operands of a disjunction."""
        first = 0
        while first < len(clause):
            second = first + 1
            while second < len(clause):
                joined = self.engine.simplify(Or(clause[first], clause[second]))
                if isinstance(joined, Or):
                    second += 1
                    continue
                clause[first] = joined
                del clause[second]
            first += 1
        clause[:] = [part for part in clause if not is_const(part, 0)]

    def _merge_across(self) -> None:
        """Merge disjunctions that differ in one operand, assuming that their common operands do not hold."""
        first = 0
        while first < len(self.clauses):
            second = first + 1
            while second < len(self.clauses):
                second = self._merge_pair(first, second)
            first += 1

    def _merge_pair(self, first: int, second: int) -> int:
        """Merge two disjunctions, and return the index of the next one to compare with the first."""
        one, other = self.clauses[first], self.clauses[second]
        only_one = [part for part in one if not any(expr_deep_equal(part, known) for known in other)]
        only_other = [part for part in other if not any(expr_deep_equal(part, known) for known in one)]
        if not only_one:  # the first implies the second
            del self.clauses[second]
            return second
        if not only_other:
            self.clauses[first] = other
            del self.clauses[second]
            return first + 1
        if len(only_one) > 1 or len(only_other) > 1:
            return second + 1
        common = [part for part in one if part is not only_one[0]]
        with self.engine.facts.scope():
            for part in common:
                self.engine.facts.add(part, False)
            joined = self.engine.simplify(And(only_one[0], only_other[0]))
        if isinstance(joined, And):
            return second + 1
        del self.clauses[second]
        self.clauses[first] = (
            common if is_const(joined, 0) else [joined if part is only_one[0] else part for part in one]
        )
        return first + 1


def _unite_clauses(a: list[Expr], b: list[Expr]) -> list[Expr]:
    return [*a, *[part for part in b if not any(expr_deep_equal(part, known) for known in a)]]


# -- combination of two operands


def _combine(engine: Engine, node: And | Or, a: Expr, b: Expr) -> Expr:
    cls = type(node)
    result = fold.try_fold(cls, a, b, node.span)
    if result is not None:
        return result
    if isinstance(node, Or):
        joined = _simplify_disjunction(a, b)
    else:
        joined = _simplify_conjunction(a, b)
    if joined is not None:
        return engine.simplify(joined)
    if type(b) is cls:
        return engine.simplify(cls(cls(a, b.a), b.b, span=node.span))
    return node if a is node.a and b is node.b else cls(a, b, span=node.span)


def _are_exclusive(a: Expr, b: Expr) -> bool:
    """Whether two conditions exclude each other."""
    if isinstance(a, Not) or isinstance(b, Not):
        return (isinstance(a, Not) and expr_deep_equal(a.a, b)) or (isinstance(b, Not) and expr_deep_equal(b.a, a))
    if not isinstance(a, CompareOp) or not isinstance(b, CompareOp):
        return False
    cls = fold.OPPOSITE[type(a)]
    if type(b) is cls and expr_deep_equal(a.a, b.a) and expr_deep_equal(a.b, b.b):
        return True
    return type(b) is fold.MIRRORED.get(cls) and expr_deep_equal(a.a, b.b) and expr_deep_equal(a.b, b.a)


def _is_unordered(condition: Expr) -> bool:
    """Whether a comparison and its opposite may both be false: floats may be nan, which TVM ignores."""
    return isinstance(condition, (LT, LE, GT, GE)) and condition.a.dtype.is_floating


def _simplify_conjunction(a: Expr, b: Expr) -> Expr | None:
    """Combine the operands of a conjunction, None if they do not combine."""
    if _are_exclusive(a, b):
        return FALSE
    for one, other in ((a, b), (b, a)):
        upper, lower = _upper_bound(one), _lower_bound(other)
        if upper is not None and lower is not None and expr_deep_equal(upper[0], lower[0]) and upper[1] < lower[1]:
            return FALSE
        if isinstance(one, EQ) and isinstance(other, (EQ, NE)) and _compare_one_value(one, other):
            if isinstance(other, EQ):
                return one if expr_deep_equal(one.b, other.b) else FALSE
            return FALSE if expr_deep_equal(one.b, other.b) else one
        if isinstance(one, EQ) and isinstance(other, EQ):
            whole = _recompose(one, other)
            if whole is not None:
                return whole
    return None


def _recompose(quotient: EQ, remainder: EQ) -> Expr | None:
    """x // d == a and x % d == b is x == a * d + b."""
    left, right = quotient.a, remainder.a
    if not isinstance(left, FloorDiv) or not isinstance(right, FloorMod) or not expr_deep_equal(left.a, right.a):
        return None
    a, b, divisor = quotient.b, remainder.b, left.b
    if not (
        isinstance(a, IntImm)
        and isinstance(b, IntImm)
        and isinstance(divisor, IntImm)
        and expr_deep_equal(divisor, right.b)
    ):
        return None
    value = a.value * divisor.value + b.value
    if not 0 <= b.value < divisor.value or not a.dtype.min_value <= value <= a.dtype.max_value:
        return None
    return EQ(left.a, IntImm(a.dtype, value))


def _simplify_disjunction(a: Expr, b: Expr) -> Expr | None:
    """Combine the operands of a disjunction, None if they do not combine."""
    if _are_exclusive(a, b) and not (_is_unordered(a) and _is_unordered(b)):
        return TRUE
    for one, other in ((a, b), (b, a)):
        upper, lower = _upper_bound(one), _lower_bound(other)
        if upper is not None and lower is not None and expr_deep_equal(upper[0], lower[0]) and upper[1] >= lower[1] - 1:
            return TRUE
        if isinstance(one, NE) and isinstance(other, (EQ, NE)) and _compare_one_value(one, other):
            if isinstance(other, NE):
                return one if expr_deep_equal(one.b, other.b) else TRUE
            return TRUE if expr_deep_equal(one.b, other.b) else one
        if isinstance(one, LT) and isinstance(other, EQ) and _same_operands(one, other):
            return LE(one.a, one.b)
    if (
        isinstance(a, LT)
        and isinstance(b, LT)
        and expr_deep_equal(a.a, b.b)
        and expr_deep_equal(a.b, b.a)
        and not _is_unordered(a)
    ):
        return NE(a.a, a.b)
    return None


def _same_operands(a: CompareOp, b: CompareOp) -> bool:
    return (expr_deep_equal(a.a, b.a) and expr_deep_equal(a.b, b.b)) or (
        expr_deep_equal(a.a, b.b) and expr_deep_equal(a.b, b.a)
    )


def _compare_one_value(a: CompareOp, b: CompareOp) -> bool:
    """Whether both conditions compare one value with constants."""
    return expr_deep_equal(a.a, b.a) and isinstance(a.b, IntImm) and isinstance(b.b, IntImm)


def _upper_bound(condition: Expr) -> tuple[Expr, int] | None:
    """Return x and c of x <= c."""
    if isinstance(condition, (LT, LE)) and isinstance(condition.b, IntImm):
        return condition.a, condition.b.value - isinstance(condition, LT)
    return None


def _lower_bound(condition: Expr) -> tuple[Expr, int] | None:
    """Return x and c of c <= x."""
    if isinstance(condition, (LT, LE)) and isinstance(condition.a, IntImm):
        return condition.b, condition.a.value + isinstance(condition, LT)
    return None
