"""Evaluate integer expressions with Python integers, independent of the package's arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from tvmscript.fuzz.programs import python_integers
from tvmscript.fuzz.programs.python_integers import wrapped
from tvmscript.ir.core import Op, nodes
from tvmscript.ir.tir import BinaryOp, Broadcast, Call, Cast, Expr, IntImm, Not, Ramp, Select, SizeVar, Var
from tvmscript.ir.tir import expr as e


class Undefined(Exception):
    """The expression divides by zero."""


Values = Mapping[Var, int]


def _nonzero(rule: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def apply(a: int, b: int) -> int:
        if b == 0:
            raise Undefined
        return rule(a, b)

    return apply


_DIVISIONS: Final = (e.FloorDiv, e.FloorMod, e.Div, e.Mod)
BINARY: Final = {cls: _nonzero(rule) if cls in _DIVISIONS else rule for cls, rule in python_integers.BINARY.items()}
_CALLS: Final[dict[str, Callable[..., int]]] = {
    "tir.likely": lambda a: a,
    "tir.shift_left": operator.lshift,
    "tir.shift_right": operator.rshift,
    "tir.bitwise_and": operator.and_,
    "tir.bitwise_or": operator.or_,
    "tir.bitwise_xor": operator.xor,
}


def evaluate(expr: Expr, values: Values) -> int:
    """The value of a scalar integer expression. Raises `Undefined` where it divides by zero."""
    return _RULES[type(expr)](expr, values)


def _binary(rule: Callable[[int, int], int]) -> Callable[[Any, Values], int]:
    def apply(node: BinaryOp, values: Values) -> int:
        return int(rule(evaluate(node.a, values), evaluate(node.b, values)))

    return apply


def _cast(node: Cast, values: Values) -> int:
    """Wrap values of dtypes narrower than indices; indices do not overflow."""
    value = evaluate(node.value, values)
    is_index = node.dtype.is_signed and node.dtype.bits >= 32
    return value if is_index else wrapped(value, node.dtype)


def _select(node: Select, values: Values) -> int:
    both = evaluate(node.true_value, values), evaluate(node.false_value, values)
    return both[0] if evaluate(node.condition, values) else both[1]


def _call(node: Call, values: Values) -> int:
    name = node.op.name if isinstance(node.op, Op) else ""
    if name == "tir.if_then_else":
        return evaluate(node.args[1] if evaluate(node.args[0], values) else node.args[2], values)
    return _CALLS[name](*[evaluate(arg, values) for arg in node.args])


#: node class -> its value
_RULES: Final[dict[type[Expr], Callable[[Any, Values], int]]] = {
    **{cls: _binary(rule) for cls, rule in BINARY.items()},
    e.And: lambda node, values: int(bool(evaluate(node.a, values)) and bool(evaluate(node.b, values))),
    e.Or: lambda node, values: int(bool(evaluate(node.a, values)) or bool(evaluate(node.b, values))),
    Not: lambda node, values: int(not evaluate(node.a, values)),
    Cast: _cast,
    Select: _select,
    Call: _call,
    IntImm: lambda node, _: node.value,
    Var: lambda node, values: values[node],
    SizeVar: lambda node, values: values[node],
}


def overflows(expr: Expr, values: Values) -> bool:
    """Test whether any sub-expression has a value outside of its dtype."""
    for part in nodes(expr):
        if isinstance(part, BinaryOp) and part.dtype.is_integer:
            with suppress(Undefined):
                if not part.dtype.min_value <= evaluate(part, values) <= part.dtype.max_value:
                    return True
    return False


def lanes_of(expr: Expr, values: Values) -> list[int]:
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
        rule = BINARY[type(expr)]
        pairs = zip(lanes_of(expr.a, values), lanes_of(expr.b, values), strict=True)
        return [int(rule(a, b)) for a, b in pairs]
    if isinstance(expr, Select):
        conditions = (
            lanes_of(expr.condition, values)
            if expr.condition.dtype.lanes > 1
            else [evaluate(expr.condition, values)] * expr.dtype.lanes
        )
        both = zip(lanes_of(expr.true_value, values), lanes_of(expr.false_value, values), strict=True)
        return [a if holds else b for holds, (a, b) in zip(conditions, both, strict=True)]
    raise AssertionError(f"no meaning for {type(expr).__name__}")
