"""A second implementation of integer expressions, on Python integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tvmscript.ir.core import DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir


def wrapped(value: int, dtype: DType) -> int:
    """Wrap an integer to a dtype."""
    if str(dtype) == "bool":
        return int(bool(value))
    value %= 2**dtype.bits
    if dtype.code == "int" and value >= 2 ** (dtype.bits - 1):
        value -= 2**dtype.bits
    return value


def truncated_quotient(a: int, b: int) -> int:
    """Divide with truncation, as in C."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


BINARY: dict[type[Expr], Callable[[int, int], int]] = {
    tir.Add: lambda a, b: a + b,
    tir.Sub: lambda a, b: a - b,
    tir.Mul: lambda a, b: a * b,
    tir.FloorDiv: lambda a, b: a // b,
    tir.FloorMod: lambda a, b: a % b,
    tir.Div: truncated_quotient,
    tir.Mod: lambda a, b: a - b * truncated_quotient(a, b),
    tir.Min: min,
    tir.Max: max,
    tir.EQ: lambda a, b: a == b,
    tir.NE: lambda a, b: a != b,
    tir.LT: lambda a, b: a < b,
    tir.LE: lambda a, b: a <= b,
    tir.GT: lambda a, b: a > b,
    tir.GE: lambda a, b: a >= b,
    tir.And: lambda a, b: a and b,
    tir.Or: lambda a, b: a or b,
}

_CALLS: dict[str, Callable[..., int]] = {
    "tir.bitwise_and": lambda a, b: a & b,
    "tir.bitwise_or": lambda a, b: a | b,
    "tir.bitwise_xor": lambda a, b: a ^ b,
    "tir.bitwise_not": lambda a: ~a,
    "tir.shift_left": lambda a, b: a << b,
    "tir.shift_right": lambda a, b: a >> b,
    "tir.if_then_else": lambda c, a, b: a if c else b,
    "tir.likely": lambda a: a,
}


def evaluate(expr: Expr, values: Mapping[tir.Var, int]) -> int:
    """Evaluate an integer expression; all sub-expressions are evaluated."""
    if isinstance(expr, tir.IntImm):
        return expr.value
    if isinstance(expr, tir.Var):
        return values[expr]
    if isinstance(expr, tir.BinaryOp):
        return wrapped(BINARY[type(expr)](evaluate(expr.a, values), evaluate(expr.b, values)), expr.dtype)
    if isinstance(expr, tir.Not):
        return 1 - evaluate(expr.a, values)
    if isinstance(expr, tir.Cast):
        return wrapped(evaluate(expr.value, values), expr.dtype)
    if isinstance(expr, tir.Select):
        chosen, other = evaluate(expr.true_value, values), evaluate(expr.false_value, values)
        return chosen if evaluate(expr.condition, values) else other
    if isinstance(expr, tir.Let):
        return evaluate(expr.body, {**values, expr.var: evaluate(expr.value, values)})
    if isinstance(expr, tir.Call):
        args = [evaluate(arg, values) for arg in expr.args]
        return wrapped(_CALLS[getattr(expr.op, "name", "")](*args), expr.dtype)
    raise AssertionError(f"no meaning for {type(expr).__name__}")
