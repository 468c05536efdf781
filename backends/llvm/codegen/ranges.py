"""What integer expressions can be: intervals, to choose cheap forms of division and to mark sums that cannot wrap.

An interval is of mathematical integers; an expression whose interval leaves its dtype may wrap, then it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import (
    Add,
    Broadcast,
    Call,
    Cast,
    Div,
    FloorDiv,
    FloorMod,
    IntImm,
    Max,
    Min,
    Mod,
    Mul,
    Ramp,
    Select,
    SizeVar,
    Sub,
    Var,
)

Interval = tuple[int, int]


class Ranges:
    """Intervals of variables, and from them of expressions."""

    def __init__(self, parent: Ranges | None = None) -> None:
        self.known: dict[Var, Interval] = dict(parent.known) if parent is not None else {}

    def of(self, expr: Expr) -> Interval:
        """An interval that holds every value of an integer expression (of each lane)."""
        rule = _RULES.get(type(expr))
        dtype = expr.dtype
        if rule is not None:
            found = rule(self, expr)
            if found is not None and dtype.min_value <= found[0] and found[1] <= dtype.max_value:
                return found
        return dtype.min_value, dtype.max_value

    def is_never_negative(self, expr: Expr) -> bool:
        return not expr.dtype.is_signed or self.of(expr)[0] >= 0

    def is_exact(self, expr: Expr) -> bool:
        """Whether sums, products and quotients in a signed expression have the values of mathematical integers."""
        if isinstance(expr, Add | Sub | Mul):
            low, high = _RULES[type(expr)](self, expr) or (0, 0)
            dtype = expr.dtype
            return (
                dtype.min_value <= low and high <= dtype.max_value and self.is_exact(expr.a) and self.is_exact(expr.b)
            )
        if isinstance(expr, FloorDiv | FloorMod | Div | Mod):
            return self.of(expr.b)[0] > 0 and self.is_exact(expr.a) and self.is_exact(expr.b)
        return True

    def loop(self, var: Var, first: Expr, extent: Expr) -> None:
        """Note the interval of a loop variable."""
        low, _ = self.of(first)
        high = self.of(first)[1] + self.of(extent)[1] - 1
        if low <= high <= var.dtype.max_value:
            self.known[var] = low, high
        else:
            # A loop that runs does not wrap around.
            self.known[var] = low, var.dtype.max_value


def _constant(ranges: Ranges, expr: IntImm) -> Interval:
    return expr.value, expr.value


def _variable(ranges: Ranges, expr: Var) -> Interval | None:
    found = ranges.known.get(expr)
    if found is None and isinstance(expr, SizeVar):
        return 0, expr.dtype.max_value
    return found


def _add(ranges: Ranges, expr: Add) -> Interval:
    (a, b), (c, d) = ranges.of(expr.a), ranges.of(expr.b)
    return a + c, b + d


def _sub(ranges: Ranges, expr: Sub) -> Interval:
    (a, b), (c, d) = ranges.of(expr.a), ranges.of(expr.b)
    return a - d, b - c


def _mul(ranges: Ranges, expr: Mul) -> Interval:
    (a, b), (c, d) = ranges.of(expr.a), ranges.of(expr.b)
    products = a * c, a * d, b * c, b * d
    return min(products), max(products)


def _floordiv(ranges: Ranges, expr: FloorDiv) -> Interval | None:
    (a, b), (c, d) = ranges.of(expr.a), ranges.of(expr.b)
    if c <= 0:
        return None
    quotients = a // c, a // d, b // c, b // d
    return min(quotients), max(quotients)


def _floormod(ranges: Ranges, expr: FloorMod) -> Interval | None:
    low, high = ranges.of(expr.b)
    if low <= 0:
        return None
    first, last = ranges.of(expr.a)
    return (first, last) if first >= 0 and last < low else (0, high - 1)


def _truncdiv(ranges: Ranges, expr: Div) -> Interval | None:
    return _floordiv(ranges, FloorDiv(expr.a, expr.b)) if ranges.of(expr.a)[0] >= 0 else None


def _truncmod(ranges: Ranges, expr: Mod) -> Interval | None:
    return _floormod(ranges, FloorMod(expr.a, expr.b)) if ranges.of(expr.a)[0] >= 0 else None


def _min(ranges: Ranges, expr: Min) -> Interval:
    (a, b), (c, d) = ranges.of(expr.a), ranges.of(expr.b)
    return min(a, c), min(b, d)


def _max(ranges: Ranges, expr: Max) -> Interval:
    (a, b), (c, d) = ranges.of(expr.a), ranges.of(expr.b)
    return max(a, c), max(b, d)


def _select(ranges: Ranges, expr: Select) -> Interval:
    (a, b), (c, d) = ranges.of(expr.true_value), ranges.of(expr.false_value)
    return min(a, c), max(b, d)


def _cast(ranges: Ranges, expr: Cast) -> Interval | None:
    return ranges.of(expr.value) if expr.value.dtype.is_integer and not expr.dtype.is_bool else None


def _broadcast(ranges: Ranges, expr: Broadcast) -> Interval:
    return ranges.of(expr.value)


def _ramp(ranges: Ranges, expr: Ramp) -> Interval:
    (a, b), (c, d) = ranges.of(expr.base), ranges.of(expr.stride)
    last = expr.lanes - 1
    return min(a, a + c * last), max(b, b + d * last)


def _call(ranges: Ranges, expr: Call) -> Interval | None:
    if not isinstance(expr.op, Op):
        return None
    if expr.op.name == "tir.bitwise_and":
        # The intervals of powers of two minus one are the common case.
        highs = [high for low, high in map(ranges.of, expr.args) if low >= 0]
        return (0, min(highs)) if highs else None
    if expr.op.name == "tir.shift_right":
        (a, b), (c, d) = ranges.of(expr.args[0]), ranges.of(expr.args[1])
        return (a >> c, b >> c) if a >= 0 and 0 <= c == d < expr.dtype.bits else None
    return None


_RULES: dict[type, Callable[[Ranges, Any], Interval | None]] = {
    IntImm: _constant, Var: _variable, SizeVar: _variable, Add: _add, Sub: _sub, Mul: _mul, FloorDiv: _floordiv,
    FloorMod: _floormod, Div: _truncdiv, Mod: _truncmod, Min: _min, Max: _max, Select: _select, Cast: _cast,
    Broadcast: _broadcast, Ramp: _ramp, Call: _call,
}  # fmt: skip
