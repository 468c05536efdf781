"""Evaluate integer expressions over variables with known values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from tvmscript.ir.tir import Add, BinaryOp, Cast, Expr, FloorDiv, FloorMod, IntImm, Max, Min, Mul, Sub, Var

_FOLD: dict[type[Expr], Callable[[int, int], int]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    FloorDiv: operator.floordiv,
    FloorMod: operator.mod,
    Min: min,
    Max: max,
}


def evaluate_size(expr: Expr, sizes: Mapping[Var, int]) -> int | None:
    """Return the value of an integer expression; None if a variable has no value or a divisor is zero."""
    if isinstance(expr, IntImm):
        return expr.value
    if isinstance(expr, Var):
        return sizes.get(expr)
    if isinstance(expr, Cast):
        return evaluate_size(expr.value, sizes)
    if isinstance(expr, BinaryOp) and type(expr) in _FOLD:
        a, b = evaluate_size(expr.a, sizes), evaluate_size(expr.b, sizes)
        if a is None or b is None or (b == 0 and isinstance(expr, (FloorDiv, FloorMod))):
            return None
        return _FOLD[type(expr)](a, b)
    return None
