"""Evaluate integer expressions over variables with known values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from tvmscript.ir.tir import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    BinaryOp,
    Call,
    Cast,
    Expr,
    FloorDiv,
    FloorMod,
    IntImm,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Var,
)
from tvmscript.ir.tir.intrin.control import if_then_else_

_FOLD: dict[type[Expr], Callable[[int, int], int]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    FloorDiv: operator.floordiv,
    FloorMod: operator.mod,
    Min: min,
    Max: max,
    EQ: operator.eq,
    NE: operator.ne,
    LT: operator.lt,
    LE: operator.le,
    GT: operator.gt,
    GE: operator.ge,
}


def evaluate_size(expr: Expr, sizes: Mapping[Var, int]) -> int | None:
    """Return the value of an integer expression; None if a variable has no value or a divisor is zero."""
    if isinstance(expr, IntImm):
        return expr.value
    if isinstance(expr, Var):
        return sizes.get(expr)
    if isinstance(expr, Cast):
        return evaluate_size(expr.value, sizes)
    if isinstance(expr, Select) or (isinstance(expr, Call) and expr.op is if_then_else_):
        choice = (expr.condition, expr.true_value, expr.false_value) if isinstance(expr, Select) else expr.args
        condition = evaluate_size(choice[0], sizes)
        return None if condition is None else evaluate_size(choice[1] if condition else choice[2], sizes)
    if isinstance(expr, BinaryOp) and type(expr) in _FOLD:
        a, b = evaluate_size(expr.a, sizes), evaluate_size(expr.b, sizes)
        if a is None or b is None or (b == 0 and isinstance(expr, (FloorDiv, FloorMod))):
            return None
        return _FOLD[type(expr)](a, b)
    return None
