"""The meaning of integer expressions by Python's integers, independent of the package's own arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, Call, Cast, IntImm, Not, Ramp, Select
from tvmscript.ir.tir.var import Var
from tvmscript.testing.python_integers import wrapped


class Undefined(Exception):
    """The expression divides by zero."""


def _nonzero(rule: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def apply(a: int, b: int) -> int:
        if b == 0:
            raise Undefined
        return rule(a, b)

    return apply


def _trunc(a: int, b: int) -> int:
    return int(abs(a) // abs(b)) * (1 if (a >= 0) == (b >= 0) else -1)


BINARY: dict[str, Callable[[int, int], int]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "FloorDiv": _nonzero(operator.floordiv),
    "FloorMod": _nonzero(operator.mod),
    "Div": _nonzero(_trunc),
    "Mod": _nonzero(lambda a, b: a - b * _trunc(a, b)),
    "Min": min,
    "Max": max,
    "EQ": operator.eq,
    "NE": operator.ne,
    "LT": operator.lt,
    "LE": operator.le,
    "GT": operator.gt,
    "GE": operator.ge,
    "And": lambda a, b: a and b,
    "Or": lambda a, b: a or b,
}


def evaluate(expr: Expr, values: Mapping[Var, int]) -> int:
    """The value of a scalar integer expression. Raises `Undefined` where it divides by zero."""
    node: Any = expr
    if isinstance(node, IntImm):
        return node.value
    if isinstance(node, Var):
        return values[node]
    kind = type(node).__name__
    if kind == "And":
        return int(bool(evaluate(node.a, values)) and bool(evaluate(node.b, values)))
    if kind == "Or":
        return int(bool(evaluate(node.a, values)) or bool(evaluate(node.b, values)))
    if isinstance(node, Not):
        return int(not evaluate(node.a, values))
    if isinstance(node, Cast):
        value = evaluate(node.value, values)
        # what is narrower than indices wraps around; those do not overflow
        is_index = node.dtype.is_signed and node.dtype.bits >= 32
        return value if is_index else wrapped(value, node.dtype)
    if isinstance(node, Select):
        both = evaluate(node.true_value, values), evaluate(node.false_value, values)
        return both[0] if evaluate(node.condition, values) else both[1]
    if isinstance(node, Call):
        return _call(node, values)
    return int(BINARY[kind](evaluate(node.a, values), evaluate(node.b, values)))


def lanes_of(expr: Expr, values: Mapping[Var, int]) -> list[int]:
    """The lanes of a vector of integers. Raises `Undefined` where one divides by zero."""
    if expr.dtype.lanes == 1:
        return [evaluate(expr, values)]
    if isinstance(expr, Ramp):
        base, stride = evaluate(expr.base, values), evaluate(expr.stride, values)
        return [base + lane * stride for lane in range(expr.lanes)]
    if isinstance(expr, Broadcast):
        return [evaluate(expr.value, values)] * expr.lanes
    if isinstance(expr, Not):
        return [int(not value) for value in lanes_of(expr.a, values)]
    if isinstance(expr, Cast):
        return lanes_of(expr.value, values)
    if isinstance(expr, BinaryOp):
        rule = BINARY[type(expr).__name__]
        pairs = zip(lanes_of(expr.a, values), lanes_of(expr.b, values), strict=True)
        return [int(rule(a, b)) for a, b in pairs]
    raise AssertionError(f"no meaning for {type(expr).__name__}")


def _call(node: Call, values: Mapping[Var, int]) -> int:
    name = node.op.name if isinstance(node.op, Op) else ""
    if name == "tir.if_then_else":
        return evaluate(node.args[1] if evaluate(node.args[0], values) else node.args[2], values)
    args = [evaluate(arg, values) for arg in node.args]
    rules: dict[str, Callable[..., int]] = {
        "tir.likely": lambda a: a,
        "tir.shift_left": operator.lshift,
        "tir.shift_right": operator.rshift,
        "tir.bitwise_and": operator.and_,
    }
    return rules[name](*args)
