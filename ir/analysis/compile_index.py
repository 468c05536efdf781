"""Integer expressions as Python functions of the values of their variables."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    BinaryOp,
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
    Not,
    Or,
    Select,
    Sub,
    Var,
)

Values = Mapping[Var, int]
#: the value of an expression for those of its variables. Raises `NoValue`.
Code = Callable[[Any], int]


class NoValue(Exception):
    """An expression has no value, or one that its dtype cannot hold: nothing is said about it."""


def code_of(expr: Expr) -> Code | None:
    """The expression as a function of its variables; None where it depends on anything else, such as memory."""
    try:
        return _code(expr)
    except NoValue:
        return None


def _code(expr: Expr) -> Code:
    if isinstance(expr, IntImm):
        value = expr.value
        return lambda values: value
    if isinstance(expr, Var) and expr.dtype.is_integer and expr.dtype.lanes == 1:
        return lambda values: _of_variable(values, expr)
    if isinstance(expr, BinaryOp) and expr.a.dtype.is_integer and expr.a.dtype.lanes == 1:
        return _binary(expr)
    if isinstance(expr, Not):
        inner = _code(expr.a)
        return lambda values: not inner(values)
    if isinstance(expr, Select):
        return _chosen(_code(expr.condition), _code(expr.true_value), _code(expr.false_value))
    if isinstance(expr, Cast) and expr.value.dtype.is_integer and expr.dtype.is_integer:
        inner, dtype = _code(expr.value), expr.dtype
        return lambda values: _fits(inner(values), dtype)
    if isinstance(expr, Let):
        return _let(expr.var, _code(expr.value), _code(expr.body))
    if isinstance(expr, Call):
        return _call(expr)
    raise NoValue


def _of_variable(values: Values, var: Var) -> int:
    try:
        return values[var]
    except KeyError:
        raise NoValue from None


def _fits(value: int, dtype: DType) -> int:
    if not dtype.min_value <= value <= dtype.max_value:
        raise NoValue
    return value


def _binary(expr: BinaryOp) -> Code:
    a, b, kind = _code(expr.a), _code(expr.b), type(expr)
    if kind is And:
        return lambda values: bool(a(values)) and bool(b(values))
    if kind is Or:
        return lambda values: bool(a(values)) or bool(b(values))
    if kind in _COMPARE:
        compare = _COMPARE[kind]
        return lambda values: compare(a(values), b(values))
    compute, dtype = _COMPUTE[kind], expr.dtype
    return lambda values: _fits(compute(a(values), b(values)), dtype)


def _chosen(condition: Code, chosen: Code, other: Code) -> Code:
    return lambda values: chosen(values) if condition(values) else other(values)


def _let(var: Var, value: Code, body: Code) -> Code:
    return lambda values: body({**values, var: value(values)})


def _call(expr: Call) -> Code:
    name = getattr(expr.op, "name", "")
    if name == "tir.likely":
        return _code(expr.args[0])
    if name == "tir.if_then_else":
        return _chosen(*map(_code, expr.args))
    if name in _CALLS:
        a, b = map(_code, expr.args)
        compute, dtype = _CALLS[name], expr.dtype
        return lambda values: _fits(compute(a(values), b(values)), dtype)
    raise NoValue


def _floordiv(a: int, b: int) -> int:
    if b == 0:
        raise NoValue
    return a // b


def _floormod(a: int, b: int) -> int:
    if b == 0:
        raise NoValue
    return a % b


def _truncdiv(a: int, b: int) -> int:
    quotient = _floordiv(abs(a), abs(b))
    return quotient if (a < 0) == (b < 0) else -quotient


def _shifted(shift: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(a: int, b: int) -> int:
        if not 0 <= b < 64:
            raise NoValue
        return shift(a, b)

    return checked


_COMPARE: dict[type, Callable[[int, int], bool]] = {
    EQ: operator.eq,
    NE: operator.ne,
    LT: operator.lt,
    LE: operator.le,
    GT: operator.gt,
    GE: operator.ge,
}
_COMPUTE: dict[type, Callable[[int, int], int]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    FloorDiv: _floordiv,
    FloorMod: _floormod,
    Div: _truncdiv,
    Mod: lambda a, b: a - b * _truncdiv(a, b),
    Min: min,
    Max: max,
}
_CALLS: dict[str, Callable[[int, int], int]] = {
    "tir.bitwise_and": operator.and_,
    "tir.bitwise_or": operator.or_,
    "tir.bitwise_xor": operator.xor,
    "tir.shift_left": _shifted(operator.lshift),
    "tir.shift_right": _shifted(operator.rshift),
}
