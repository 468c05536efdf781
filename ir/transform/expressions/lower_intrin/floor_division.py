"""Lower floor division to truncating division, shifts and masks."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir import tir
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make, select
from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.arith.intervals.interval_analysis import IntervalAnalysis
from tvmscript.ir.arith.sums.linear_form import is_index_dtype
from tvmscript.ir.tir.base import OPERATORS, Expr


class FloorDivision:
    """Lowering of integer floor division, depending on the known signs of the operands.

    Signs are proven for the original operands. The result contains the operands as rewritten by `lower`.
    """

    def __init__(self, analyzer: Analyzer, lower: Callable[[Expr], Expr]) -> None:
        self.analyzer = analyzer
        self.lower = lower

    def bounds(self, expr: Expr) -> Bounds:
        """Return bounds of an integer, or of all lanes of a vector."""
        if isinstance(expr, tir.IntImm):
            return Bounds(expr.value, expr.value)
        if isinstance(expr, tir.Broadcast):
            return self.bounds(expr.value)
        if isinstance(expr, tir.Ramp) and isinstance(expr.stride, tir.IntImm) and expr.lanes > 1:
            steps = expr.stride.value * (expr.lanes - 1)
            return interval.add(self.bounds(expr.base), Bounds(min(steps, 0), max(steps, 0)))
        return self.analyzer.const_bounds(expr) if is_index_dtype(expr.dtype) else IntervalAnalysis().of(expr)

    def is_natural(self, expr: Expr) -> bool:
        """Return whether the integer is provably not negative."""
        return self.bounds(expr).within(0, None)

    def quotient(self, node: tir.FloorDiv) -> Expr:
        """Lower `a // b`."""
        b = self.lower(node.b)
        if (steps := self.steps_up(node, b)) is not None:
            return make(tir.Sub, make(tir.Div, self.shift_dividend(node, steps), b), steps)
        a = self.lower(node.a)
        if (shift := _power_of_two(b)) is not None:
            return _op("shift_right", a, shift) if shift else a
        if not self.is_natural(node.b):
            return self._any_sign(a, b, is_quotient=True)
        if self.is_natural(node.a):
            return make(tir.Div, a, b)
        quotient, rest = make(tir.Div, a, b), make(tir.Mod, a, b)
        if _has_sign_bit(a):
            return make(tir.Add, quotient, _sign(rest))
        return select(tir.GE(rest, tir.const(0, a.dtype)), quotient, tir.Sub(quotient, tir.const(1, a.dtype)))

    def remainder(self, node: tir.FloorMod) -> Expr:
        """Lower `a % b`."""
        b = self.lower(node.b)
        if (steps := self.steps_up(node, b)) is not None:
            return make(tir.Mod, self.shift_dividend(node, steps), b)
        a = self.lower(node.a)
        if (shift := _power_of_two(b)) is not None:
            return _op("bitwise_and", a, (1 << shift) - 1) if shift else tir.const(0, a.dtype)
        if not self.is_natural(node.b):
            return self._any_sign(a, b, is_quotient=False)
        if self.is_natural(node.a):
            return make(tir.Mod, a, b)
        rest = make(tir.Mod, a, b)
        if _has_sign_bit(a):
            return make(tir.Add, rest, OPERATORS["bitwise_and"](b, _sign(rest)))
        return select(tir.GE(rest, tir.const(0, a.dtype)), rest, tir.Add(rest, b))

    def steps_up(self, node: tir.FloorDiv | tir.FloorMod, b: Expr) -> Expr | None:
        """Return the multiple of b to add to the dividend to make it non-negative.

        None if that is not necessary, if the divisor may be negative, or if the sum may overflow.
        """
        divisor = self.bounds(node.b)
        if _power_of_two(b) is not None or not divisor.within(0, None):
            return None
        low, high = self.bounds(node.a)
        if low is None or low >= 0:
            return None
        dtype = b.dtype.element
        if high is None or divisor.high is None or not b.dtype.is_signed or low <= dtype.min_value:
            return None
        # what is added is less than -low + b
        if high - low + divisor.high > dtype.max_value:
            return None
        if divisor.is_single:
            return tir.const((divisor.high - 1 - low) // divisor.high, b.dtype)
        return make(tir.Div, make(tir.Sub, make(tir.Sub, b, tir.const(1, b.dtype)), tir.const(low, b.dtype)), b)

    def shift_dividend(self, node: tir.FloorDiv | tir.FloorMod, steps: Expr) -> Expr:
        """Return `a + b * steps`, simplified before its divisions are lowered."""
        return self.lower(self.analyzer.simplify(make(tir.Add, node.a, make(tir.Mul, node.b, steps))))

    def _any_sign(self, a: Expr, b: Expr, *, is_quotient: bool) -> Expr:
        """Lower a division whose divisor has an unknown sign: the remainder takes the sign of the divisor."""
        zero = tir.const(0, a.dtype)
        rest = tir.Var("rmod", a.dtype)
        both_up = make(tir.And, make(tir.GE, b, zero), tir.GE(rest, zero))
        both_down = make(tir.And, make(tir.LT, b, zero), tir.LE(rest, zero))
        is_right = make(tir.Or, both_up, both_down)
        if is_quotient:
            quotient = tir.Var("rdiv", a.dtype)
            chosen = select(is_right, quotient, tir.Sub(quotient, tir.const(1, a.dtype)))
            body: Expr = tir.Let(quotient, make(tir.Div, a, b), chosen)
        else:
            body = select(is_right, rest, tir.Add(rest, b))
        return tir.Let(rest, make(tir.Mod, a, b), body)


def _power_of_two(expr: Expr) -> int | None:
    if isinstance(expr, tir.IntImm) and expr.value > 0 and expr.value & (expr.value - 1) == 0:
        return expr.value.bit_length() - 1
    return None


def _has_sign_bit(expr: Expr) -> bool:
    """Return whether an arithmetic shift yields the sign: for int32 and int64."""
    return expr.dtype in ("int32", "int64")


def _sign(expr: Expr) -> Expr:
    """Return -1 for a negative integer, otherwise 0."""
    return _op("shift_right", expr, expr.dtype.bits - 1)


def _op(name: str, a: Expr, b: int) -> Expr:
    return OPERATORS[name](a, tir.const(b, a.dtype))
