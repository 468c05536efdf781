"""The least and the greatest value of integer expressions, each expression looked at once."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.arith import bounds as interval
from tvmscript.ir.arith.bounds import Bounds
from tvmscript.ir.core.dtype import DType
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
    Let,
    Max,
    Min,
    Mod,
    Mul,
    Ramp,
    Range,
    Select,
    Sub,
    Var,
)


class ValueBounds:
    """Bounds from those of variables, part by part: nothing cancels out, and nothing is ever asked twice.

    What of the dtype's limits is reached by no arithmetic is "no limit": a variable of 64 bits has none.
    """

    def __init__(self) -> None:
        self.known: dict[Expr, Bounds] = {}

    def bind(self, var: Var, dom: Range) -> None:
        """The variable is in the range."""
        start, extent = self.of(dom.min), self.of(dom.extent)
        last = interval.add(interval.add(start, extent), Bounds(-1, -1))
        made = Bounds(start.low, last.high)
        if self.known.get(var, made) != made:  # a variable of two loops: nothing is known of what has it as a part
            self.known = {part: bounds for part, bounds in self.known.items() if isinstance(part, Var)}
        self.known[var] = made

    def of(self, expr: Expr) -> Bounds:
        """Bounds of an expression; of a vector, those of all its lanes."""
        found = self.known.get(expr)
        if found is None:
            rule = _RULES.get(type(expr))
            found = _of_dtype(expr.dtype) if rule is None else rule(self, expr)
            self.known[expr] = found
        return found


def _of_dtype(dtype: DType) -> Bounds:
    if not dtype.is_integer or dtype.bits >= 64:
        return interval.NATURAL if dtype.code == "uint" else interval.EVERYTHING
    return interval.of_dtype(dtype.element)


def _constant(known: ValueBounds, expr: IntImm) -> Bounds:
    return Bounds(expr.value, expr.value)


def _add(known: ValueBounds, expr: Add) -> Bounds:
    return interval.add(known.of(expr.a), known.of(expr.b))


def _sub(known: ValueBounds, expr: Sub) -> Bounds:
    return interval.add(known.of(expr.a), interval.scale(known.of(expr.b), -1))


def _mul(known: ValueBounds, expr: Mul) -> Bounds:
    return interval.mul(known.of(expr.a), known.of(expr.b))


def _min(known: ValueBounds, expr: Min) -> Bounds:
    return interval.minimum(known.of(expr.a), known.of(expr.b))


def _max(known: ValueBounds, expr: Max) -> Bounds:
    return interval.maximum(known.of(expr.a), known.of(expr.b))


def _quotient(known: ValueBounds, expr: FloorDiv | Div) -> Bounds:
    a, b = known.of(expr.a), known.of(expr.b)
    divide = interval.floordiv if isinstance(expr, FloorDiv) else interval.trunc_div
    if b.is_single and b.low:
        return divide(a, b.low)
    if b.low is None or b.low < 1:
        return interval.EVERYTHING
    # the quotients by the least divisor are the furthest from 0; by the greatest one they are near it
    nearest = Bounds(-1 if isinstance(expr, FloorDiv) else 0, 0) if b.high is None else divide(a, b.high)
    return interval.union(divide(a, b.low), nearest)


def _remainder(known: ValueBounds, expr: FloorMod | Mod) -> Bounds:
    a, b = known.of(expr.a), known.of(expr.b)
    if b.is_single and b.low:
        return (interval.floormod if isinstance(expr, FloorMod) else interval.trunc_mod)(a, b.low)
    if b.low is None or b.low < 1:
        return interval.EVERYTHING
    least = 0 if isinstance(expr, FloorMod) or a.within(0, None) else None if b.high is None else 1 - b.high
    most = None if b.high is None else b.high - 1
    return Bounds(least, most)


def _cast(known: ValueBounds, expr: Cast) -> Bounds:
    limits = _of_dtype(expr.dtype)
    if not expr.value.dtype.is_integer:
        return limits
    value = known.of(expr.value)
    return value if value.within(*limits) else limits


def _select(known: ValueBounds, expr: Select) -> Bounds:
    return interval.union(known.of(expr.true_value), known.of(expr.false_value))


def _let(known: ValueBounds, expr: Let) -> Bounds:
    known.known[expr.var] = known.of(expr.value)
    return known.of(expr.body)


def _ramp(known: ValueBounds, expr: Ramp) -> Bounds:
    steps = Bounds(0, expr.lanes - 1) if expr.lanes > 0 else interval.NATURAL
    return interval.add(known.of(expr.base), interval.mul(known.of(expr.stride), steps))


def _broadcast(known: ValueBounds, expr: Broadcast) -> Bounds:
    return known.of(expr.value)


def _call(known: ValueBounds, expr: Call) -> Bounds:
    rule = _CALLS.get(expr.op.name) if isinstance(expr.op, Op) else None
    return _of_dtype(expr.dtype) if rule is None else rule(known, expr)


def _if_then_else(known: ValueBounds, expr: Call) -> Bounds:
    return interval.union(known.of(expr.args[1]), known.of(expr.args[2]))


def _likely(known: ValueBounds, expr: Call) -> Bounds:
    return known.of(expr.args[0])


def _shift_right(known: ValueBounds, expr: Call) -> Bounds:
    a, b = known.of(expr.args[0]), known.of(expr.args[1])
    if not b.is_single or b.low is None or b.low < 0:
        return interval.union(a, Bounds(-1, 0)) if b.within(0, None) else _of_dtype(expr.dtype)
    return interval.floordiv(a, 1 << b.low)


def _shift_left(known: ValueBounds, expr: Call) -> Bounds:
    a, b = known.of(expr.args[0]), known.of(expr.args[1])
    if b.low is None or b.high is None or not 0 <= b.low <= b.high < expr.dtype.bits:
        return _of_dtype(expr.dtype)
    return interval.mul(a, Bounds(1 << b.low, 1 << b.high))


def _bitwise_and(known: ValueBounds, expr: Call) -> Bounds:
    limits = [bounds for arg in expr.args if (bounds := known.of(arg)).within(0, None)]
    if not limits:
        return _of_dtype(expr.dtype)
    highs = [bounds.high for bounds in limits if bounds.high is not None]
    return Bounds(0, min(highs) if highs else None)


_RULES: Final[dict[type, Any]] = {
    IntImm: _constant,
    Add: _add,
    Sub: _sub,
    Mul: _mul,
    Min: _min,
    Max: _max,
    FloorDiv: _quotient,
    Div: _quotient,
    FloorMod: _remainder,
    Mod: _remainder,
    Cast: _cast,
    Select: _select,
    Let: _let,
    Ramp: _ramp,
    Broadcast: _broadcast,
    Call: _call,
}
_CALLS: Final[dict[str, Any]] = {
    "tir.if_then_else": _if_then_else,
    "tir.likely": _likely,
    "tir.shift_right": _shift_right,
    "tir.shift_left": _shift_left,
    "tir.bitwise_and": _bitwise_and,
}
