"""Interval analysis of integer expressions: bounds of an expression from bounds of its parts.

`RULES` map operators over intervals of mathematical integers. What overflows is a matter of policy:

- `IntervalAnalysis`: arithmetic does not overflow; 64-bit integers have no limits.
- `WrappingIntervalAnalysis`: an expression whose interval leaves its dtype may have any value of the dtype.
- `Assumptions.expr_bounds` applies the rules to bounds of sums, where index arithmetic does not overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeAlias

from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals.bounds import EVERYTHING, NATURAL, Bounds
from tvmscript.ir.core import DType, Op
from tvmscript.ir.tir import Add, Call, Div, Expr, IntImm, Let, Range, Var
from tvmscript.ir.tir.expr import Broadcast, Cast, FloorDiv, FloorMod, Max, Min, Mod, Mul, Ramp, Select, SizeVar, Sub

#: The bounds of an operand.
BoundsOf: TypeAlias = Callable[[Expr], Bounds]
#: The bounds of an expression, None where its dtype alone bounds it.
Rule: TypeAlias = Callable[[BoundsOf, Any], Bounds | None]


class IntervalAnalysis:
    """Bounds of expressions whose arithmetic does not overflow, cached by node. Terms do not cancel."""

    wraps: ClassVar[bool] = False

    def __init__(self, outer: IntervalAnalysis | None = None) -> None:
        self.known: dict[Expr, Bounds] = {} if outer is None else outer._bounds_of_variables()

    def _bounds_of_variables(self) -> dict[Expr, Bounds]:
        return {expr: bounds for expr, bounds in self.known.items() if isinstance(expr, Var)}

    def bind(self, var: Var, domain: Range) -> None:
        """Bind a variable to a range."""
        start, extent = self.of(domain.min), self.of(domain.extent)
        last = interval.add(interval.add(start, extent), Bounds(-1, -1))
        self.bind_bounds(var, Bounds(start.low, last.high))

    def bind_bounds(self, var: Var, bounds: Bounds) -> None:
        """Bind a variable to an interval."""
        if self.known.get(var, bounds) != bounds:  # a variable of two loops: drop what was concluded from the first
            self.known = self._bounds_of_variables()
        self.known[var] = bounds

    def of(self, expr: Expr) -> Bounds:
        """Return bounds of an integer expression; of a vector, those of all its lanes."""
        bounds = self.known.get(expr)
        if bounds is None:
            bounds = self.known[expr] = self._infer(expr)
        return bounds

    def _infer(self, expr: Expr) -> Bounds:
        limits = self._limits(expr.dtype)
        if isinstance(expr, Let):
            self.bind_bounds(expr.var, self.of(expr.value))
        rule = RULES.get(type(expr))
        bounds = None if rule is None else rule(self.of, expr)
        if bounds is None or ((self.wraps or isinstance(expr, Cast)) and not bounds.within(*limits)):
            return limits
        return bounds

    def _limits(self, dtype: DType) -> Bounds:
        if not dtype.is_integer or dtype.bits >= 64:
            return NATURAL if dtype.code == "uint" else EVERYTHING
        return interval.of_dtype(dtype.element)


class WrappingIntervalAnalysis(IntervalAnalysis):
    """Bounds of machine integers: an expression that may leave its dtype may have any value of the dtype."""

    wraps: ClassVar[bool] = True

    def _limits(self, dtype: DType) -> Bounds:
        return interval.of_dtype(dtype)

    def bind(self, var: Var, domain: Range) -> None:
        """Bind a loop variable. A loop that runs does not wrap around."""
        start, extent = self.of(domain.min), self.of(domain.extent)
        bounds = interval.add(interval.add(start, extent), Bounds(-1, -1))
        last = var.dtype.max_value
        if bounds.high is not None and start.low is not None and start.low <= bounds.high:
            last = min(last, bounds.high)
        self.bind_bounds(var, Bounds(start.low, last))

    def range_of(self, expr: Expr) -> tuple[int, int]:
        """Return the least and the greatest value of an integer expression."""
        (low, high), limits = self.of(expr), expr.dtype
        return limits.min_value if low is None else low, limits.max_value if high is None else high

    def is_never_negative(self, expr: Expr) -> bool:
        """Whether an integer expression is zero or more."""
        return not expr.dtype.is_signed or self.of(expr).within(0, None)

    def is_exact(self, expr: Expr) -> bool:
        """Whether sums, products and quotients in a signed expression have the values of mathematical integers."""
        if isinstance(expr, (Add, Sub, Mul)):
            bounds = RULES[type(expr)](self.of, expr)
            if bounds is None or not bounds.within(*self._limits(expr.dtype)):
                return False
            return self.is_exact(expr.a) and self.is_exact(expr.b)
        if isinstance(expr, (FloorDiv, FloorMod, Div, Mod)):
            return self.of(expr.b).within(1, None) and self.is_exact(expr.a) and self.is_exact(expr.b)
        return True


# -- rules: (bounds of operands, node)


def _constant(of: BoundsOf, node: IntImm) -> Bounds:
    return Bounds(node.value, node.value)


def _size(of: BoundsOf, node: SizeVar) -> Bounds:
    return Bounds(0, node.dtype.max_value)


def _add(of: BoundsOf, node: Add) -> Bounds:
    return interval.add(of(node.a), of(node.b))


def _sub(of: BoundsOf, node: Sub) -> Bounds:
    return interval.add(of(node.a), interval.scale(of(node.b), -1))


def _mul(of: BoundsOf, node: Mul) -> Bounds:
    return interval.mul(of(node.a), of(node.b))


def _min(of: BoundsOf, node: Min) -> Bounds:
    return interval.minimum(of(node.a), of(node.b))


def _max(of: BoundsOf, node: Max) -> Bounds:
    return interval.maximum(of(node.a), of(node.b))


def divide_bounds(cls: type[Expr], a: Bounds, b: Bounds) -> Bounds | None:
    """Return the bounds of FloorDiv, FloorMod, Div or Mod (`cls`) of two intervals, None if the divisor is zero.

    Zero is excluded from the divisors, as a division by it has no value.
    """
    of_divisor, is_quotient, is_floored = _DIVISIONS[cls]
    if b.is_single and b.low:
        return of_divisor(a, b.low)
    above, below = interval.intersect(b, Bounds(1, None)), interval.intersect(b, Bounds(None, -1))
    if above.is_empty and below.is_empty:
        return None
    if below.is_empty:
        return _divide_by_positive(cls, a, above)
    # a // -b = -a // b for both kinds of quotients, a % -b is -(-a % b) if it is floored, else a % b
    is_mirrored = is_quotient or is_floored
    bounds = _divide_by_positive(cls, interval.scale(a, -1) if is_mirrored else a, interval.scale(below, -1))
    if not is_quotient and is_floored:
        bounds = interval.scale(bounds, -1)
    return bounds if above.is_empty else interval.union(bounds, _divide_by_positive(cls, a, above))


def _divide_by_positive(cls: type[Expr], a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a division by divisors of at least one."""
    of_divisor, is_quotient, is_floored = _DIVISIONS[cls]
    least, is_natural = b.low or 1, a.within(0, None)
    if is_quotient:
        # quotients by the least divisor are furthest from 0, those by the greatest one nearest to it
        nearest = Bounds(-1 if is_floored and not is_natural else 0, 0) if b.high is None else of_divisor(a, b.high)
        return interval.union(of_divisor(a, least), nearest)
    if a.within(0, least - 1):
        return a
    # a remainder is less than the divisor, and not further from 0 than the dividend unless that is below 0 and floored
    most = None if b.high is None else b.high - 1
    remainders = Bounds(0, most)
    if is_natural:
        return interval.intersect(remainders, Bounds(0, a.high))
    if is_floored:
        return remainders
    return interval.intersect(Bounds(None if most is None else -most, most), interval.union(a, Bounds(0, 0)))


#: bounds for a constant divisor, whether the result is the quotient, whether it is rounded down
_DIVISIONS: Final[dict[type[Expr], tuple[Callable[[Bounds, int], Bounds], bool, bool]]] = {
    FloorDiv: (interval.floordiv, True, True),
    FloorMod: (interval.floormod, False, True),
    Div: (interval.trunc_div, True, False),
    Mod: (interval.trunc_mod, False, False),
}


def _division(of: BoundsOf, node: FloorDiv | FloorMod | Div | Mod) -> Bounds | None:
    return divide_bounds(type(node), of(node.a), of(node.b))


def _cast(of: BoundsOf, node: Cast) -> Bounds | None:
    return of(node.value) if node.value.dtype.is_integer and not node.dtype.is_bool else None


def _select(of: BoundsOf, node: Select) -> Bounds:
    return interval.union(of(node.true_value), of(node.false_value))


def _let(of: BoundsOf, node: Let) -> Bounds:
    return of(node.body)


def _ramp(of: BoundsOf, node: Ramp) -> Bounds:
    lanes = Bounds(0, node.lanes - 1) if node.lanes > 0 else NATURAL
    return interval.add(of(node.base), interval.mul(of(node.stride), lanes))


def _broadcast(of: BoundsOf, node: Broadcast) -> Bounds:
    return of(node.value)


def _if_then_else(of: BoundsOf, node: Call) -> Bounds:
    return interval.union(of(node.args[1]), of(node.args[2]))


def _likely(of: BoundsOf, node: Call) -> Bounds:
    return of(node.args[0])


def _shift_right(of: BoundsOf, node: Call) -> Bounds | None:
    """A division by a power of two, rounded down."""
    value, amount = of(node.args[0]), of(node.args[1])
    if amount.low is None or amount.low < 0:
        return None
    if amount.is_single and amount.low < node.dtype.bits:
        return interval.floordiv(value, 1 << amount.low)
    return interval.union(value, Bounds(0 if value.within(0, None) else -1, 0))


def _shift_left(of: BoundsOf, node: Call) -> Bounds | None:
    """A product with a power of two."""
    value, (low, high) = of(node.args[0]), of(node.args[1])
    if low is None or high is None or not 0 <= low <= high < node.dtype.bits:
        return None
    return interval.mul(value, Bounds(1 << low, 1 << high))


def _bitwise_and(of: BoundsOf, node: Call) -> Bounds | None:
    """Bits that one operand does not have are not in the result; a negative operand has them all."""
    naturals = [bounds for arg in node.args if (bounds := of(arg)).within(0, None)]
    if not naturals:
        return None
    highs = [bounds.high for bounds in naturals if bounds.high is not None]
    return Bounds(0, min(highs) if highs else None)


CALLS: Final[dict[str, Rule]] = {
    "tir.if_then_else": _if_then_else,
    "tir.likely": _likely,
    "tir.shift_right": _shift_right,
    "tir.shift_left": _shift_left,
    "tir.bitwise_and": _bitwise_and,
}


def _call(of: BoundsOf, node: Call) -> Bounds | None:
    rule = CALLS.get(node.op.name) if isinstance(node.op, Op) else None
    return None if rule is None else rule(of, node)


RULES: Final[dict[type[Expr], Rule]] = {
    IntImm: _constant,
    SizeVar: _size,
    Add: _add,
    Sub: _sub,
    Mul: _mul,
    Min: _min,
    Max: _max,
    FloorDiv: _division,
    Div: _division,
    FloorMod: _division,
    Mod: _division,
    Cast: _cast,
    Select: _select,
    Let: _let,
    Ramp: _ramp,
    Broadcast: _broadcast,
    Call: _call,
}
