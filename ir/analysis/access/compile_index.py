"""Compile integer expressions to Python functions of the values of their variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tvmscript.ir.arith.fold import BITWISE, COMPARISONS, DIVISIONS, INTEGERS
from tvmscript.ir.core import DType
from tvmscript.ir.tir import And, BinaryOp, Call, Cast, Expr, IntImm, Let, Not, Or, Select, Var

Values = Mapping[Var, int]
#: the value of an expression for those of its variables. Raises `NoValue`.
Code = Callable[[Any], int]


class NoValue(Exception):
    """The expression has no value, or one that overflows its dtype."""


def code_of(expr: Expr) -> Code | None:
    """Compile an expression to a function of its variables; None if it depends on anything else, such as memory."""
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
    if kind in COMPARISONS:
        compare = COMPARISONS[kind]
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


def _divided(divide: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(a: int, b: int) -> int:
        if b == 0:
            raise NoValue
        return divide(a, b)

    return checked


def _shifted(shift: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(a: int, b: int) -> int:
        if not 0 <= b < 64:
            raise NoValue
        return shift(a, b)

    return checked


_COMPUTE: Final = {cls: _divided(compute) if cls in DIVISIONS else compute for cls, compute in INTEGERS.items()}
_CALLS: Final = {
    name: _shifted(compute) if name.startswith("tir.shift") else compute for name, compute in BITWISE.items()
}
