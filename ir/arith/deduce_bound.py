"""Solve a comparison for a variable: the values for which it holds, over the domains of other variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.arith.int_set import NEG_INF, POS_INF, Domain, IntervalSet, IntSet, eval_set
from tvmscript.ir.tir import Expr, Var, match_types, uses
from tvmscript.ir.tir.expr import EQ, GE, GT, LE, LT, Add, BinaryOp, FloorDiv, FloorMod, IntImm, Mul, Sub


class _Side(Enum):
    """target <= value, target >= value, target == value"""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "=="

    @property
    def mirrored(self) -> _Side:
        return _MIRRORED[self]


_MIRRORED: Final = {_Side.AT_MOST: _Side.AT_LEAST, _Side.AT_LEAST: _Side.AT_MOST, _Side.EQUAL: _Side.EQUAL}
#: the side, and the number that turns a strict comparison into one that includes equality
_SIDES: Final[dict[type[Expr], tuple[_Side, int]]] = {
    LT: (_Side.AT_MOST, -1),
    LE: (_Side.AT_MOST, 0),
    GT: (_Side.AT_LEAST, 1),
    GE: (_Side.AT_LEAST, 0),
    EQ: (_Side.EQUAL, 0),
}

Step: TypeAlias = tuple[Expr, _Side, Expr]


def deduce_bound(var: Var, cond: Expr, hint_map: Mapping[Var, Domain], relax_map: Mapping[Var, Domain]) -> IntervalSet:
    """Return the values of the variable for which a comparison holds for all values of the variables in `relax_map`.

    `hint_map` gives domains from which signs of factors are inferred. The result is `IntSet.nothing()` if a sign is
    unknown. The set may be too small if a division is inexact.

    rewrite: i * 4 + j < 10 for j in [0, 3]  -->  i in [-inf, 1]
    """
    comparison = _SIDES.get(type(cond))
    if comparison is None or not isinstance(cond, (LT, LE, GT, GE, EQ)) or not cond.a.dtype.is_integer:
        return IntSet.nothing()
    return _Deduction(var, hint_map, relax_map).solve(cond.a, cond.b, *comparison)


class _Deduction:
    def __init__(self, var: Var, hints: Mapping[Var, Domain], relaxed: Mapping[Var, Domain]) -> None:
        self.var = var
        self.hints = hints
        self.relaxed = relaxed
        self.analyzer = Analyzer()

    def solve(self, target: Expr, value: Expr, side: _Side, shift: int) -> IntervalSet:
        """Solve a comparison whose sides are not both functions of the variable."""
        if self.var in uses(value):
            if self.var in uses(target):
                return IntSet.nothing()
            target, value, side, shift = value, target, side.mirrored, -shift
        elif self.var not in uses(target):
            return IntSet.nothing()
        value = self._simplify(Add, value, IntImm(value.dtype, shift))
        while target is not self.var:
            rule = _RULES.get(type(target))
            step = None if rule is None else rule(self, target, value, side)
            if step is None:
                return IntSet.nothing()
            target, side, value = step
        return self._relax(value, side)

    def _relax(self, value: Expr, side: _Side) -> IntervalSet:
        """Return the bound that holds for all values of relaxed variables."""
        low, high = value, value
        if not uses(value).isdisjoint(self.relaxed):
            ends = eval_set(value, self.relaxed)
            low, high = ends.min_value, ends.max_value
        if side is _Side.AT_MOST:
            return IntSet.nothing() if low is NEG_INF else IntervalSet(NEG_INF, self.analyzer.simplify(low))
        if side is _Side.AT_LEAST:
            return IntSet.nothing() if high is POS_INF else IntervalSet(self.analyzer.simplify(high), POS_INF)
        if low is NEG_INF or high is POS_INF or not self.analyzer.can_prove_equal(low, high):
            return IntSet.nothing()
        return IntervalSet(self.analyzer.simplify(low), self.analyzer.simplify(low))

    def _simplify(self, cls: type[BinaryOp], a: Expr, b: Expr) -> Expr:
        return self.analyzer.simplify(make(cls, *match_types(a, b)))

    def sum(self, node: Add, value: Expr, side: _Side) -> Step | None:
        """Solve target + other."""
        target, other = self._split_operands(node)
        return None if target is None else (target, side, self._simplify(Sub, value, other))

    def difference(self, node: Sub, value: Expr, side: _Side) -> Step | None:
        """Solve target - other, or other - target."""
        target, other = self._split_operands(node)
        if target is None:
            return None
        if target is node.a:
            return target, side, self._simplify(Add, value, other)
        return target, side.mirrored, self._simplify(Sub, other, value)

    def product(self, node: Mul, value: Expr, side: _Side) -> Step | None:
        """Solve target * other, if the sign of `other` is known."""
        target, other = self._split_operands(node)
        sign = None if target is None else self._sign(other)
        if target is None or sign is None:
            return None
        side = side if sign > 0 else side.mirrored
        quotient = self._simplify(FloorDiv, value, other)
        if side is _Side.AT_MOST or self.analyzer.can_prove_equal(make(FloorMod, *match_types(value, other)), 0):
            return target, side, quotient
        return None if side is _Side.EQUAL else (target, side, self._simplify(Add, quotient, IntImm(quotient.dtype, 1)))

    def quotient(self, node: FloorDiv, value: Expr, side: _Side) -> Step | None:
        """Solve target // other, for a positive divisor."""
        target, other = self._split_operands(node)
        if target is None or target is not node.a or side is _Side.EQUAL or self._sign(other) != 1:
            return None
        limit = self._simplify(Mul, value, other)
        if side is _Side.AT_MOST:
            limit = self._simplify(Sub, self._simplify(Add, limit, other), IntImm(limit.dtype, 1))
        return target, side, limit

    def _split_operands(self, node: BinaryOp) -> tuple[Expr | None, Expr]:
        """Return the operand with the variable, None if both have it, and the other operand."""
        in_a, in_b = self.var in uses(node.a), self.var in uses(node.b)
        if in_a and in_b:
            return None, node.b
        return (node.a, node.b) if in_a else (node.b, node.a)

    def _sign(self, factor: Expr) -> int | None:
        """Return 1 for a positive factor, -1 for a negative one, None if the sign is unknown."""
        if isinstance(factor, IntImm) and factor.value:
            return 1 if factor.value > 0 else -1
        ends = eval_set(factor, self.hints)
        if ends.min_value is not NEG_INF and self.analyzer.can_prove(GT(ends.min_value, IntImm(factor.dtype, 0))):
            return 1
        if ends.max_value is not POS_INF and self.analyzer.can_prove(LT(ends.max_value, IntImm(factor.dtype, 0))):
            return -1
        return None


_RULES: Final[dict[type[Expr], Callable[[_Deduction, Any, Expr, _Side], Step | None]]] = {
    Add: _Deduction.sum,
    Sub: _Deduction.difference,
    Mul: _Deduction.product,
    FloorDiv: _Deduction.quotient,
}
