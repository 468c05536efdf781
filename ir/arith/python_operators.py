"""Fold what Python's operators and the functions of `tir` make of constants and neutral elements, as TVM's do.

The parser does not use this: it keeps what is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce, wraps
from typing import Any, Final

from tvmscript.ir.arith.fold import BITWISE, cast_float, round_to_dtype, try_fold
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.tir import (
    Call,
    Cast,
    Div,
    Expr,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    base,
    const,
    intrin,
    match_types,
)
from tvmscript.ir.tir.expr import Add, BinaryOp, Max, Min, Mod, Mul, Sub
from tvmscript.ir.tir.operators import (
    add,
    all_of,
    any_of,
    floordiv,
    logical_and,
    logical_or,
    mul,
    sub,
    truncdiv,
    wrap,
)

#: functions of one float
_ROUNDING: Final[dict[str, Callable[[float], float]]] = {
    "tir.floor": math.floor,
    "tir.ceil": math.ceil,
    "tir.trunc": math.trunc,
    "tir.round": round,
    "tir.nearbyint": round,
}
#: operands, and their values where they are constants -> the result, None where the operation stays
Rule = Callable[[Expr, Expr, "float | None", "float | None"], "Expr | None"]


def _mul(a: Expr, b: Expr, x: float | None, y: float | None) -> Expr | None:
    return a if y == 1 or x == 0 else b if x == 1 or y == 0 else None


def _mod(a: Expr, b: Expr, x: float | None, y: float | None) -> Expr | None:
    return a if x == 0 else IntImm(a.dtype, 0) if y == 1 and a.dtype.is_integer else None


_NEUTRAL: Final[dict[type[Expr], Rule]] = {
    Add: lambda a, b, x, y: a if y == 0 else b if x == 0 else None,
    Sub: lambda a, b, x, y: a if y == 0 else None,
    Mul: _mul,
    **dict.fromkeys((Div, FloorDiv), lambda a, b, x, y: a if y == 1 or x == 0 else None),
    **dict.fromkeys((Mod, FloorMod), _mod),
}
_CONSTANTS: Final = frozenset({IntImm, FloatImm})


def fold(value: Expr) -> Expr:
    """Return a constant or an operand of an operation instead of it where TVM does. Vectors stay."""
    if value.dtype.lanes != 1:
        return value
    if isinstance(value, BinaryOp):
        return _fold_binary(type(value), value)
    if isinstance(value, Call):
        return _fold_call(value)
    if isinstance(value, Cast) and isinstance(value.value, FloatImm):
        return cast_float(value.dtype, value.value, value.span) or value
    return value


def _fold_binary(cls: type[BinaryOp], value: BinaryOp) -> Expr:
    a, b = value.a, value.b
    x = a.value if isinstance(a, (IntImm, FloatImm)) else None
    y = b.value if isinstance(b, (IntImm, FloatImm)) else None
    if x is None and y is None:
        return a if a is b and cls in (Min, Max) else value
    rule = _NEUTRAL.get(cls)
    result = None
    if x is not None and y is not None and (isinstance(a, IntImm) or a.dtype.bits in (32, 64)):
        if cls is Div and isinstance(a, FloatImm) and y != 0:
            quotient = round_to_dtype(x / y, a.dtype)
            return value if quotient is None else FloatImm(a.dtype, quotient, value.span)
        result = try_fold(cls, a, b, value.span)
    elif rule is not None:
        result = rule(a, b, x, y)
    elif a.dtype.is_bool:
        result = try_fold(cls, a, b, value.span)
    return value if result is None else result


def _fold_call(call: Call) -> Expr:
    name = getattr(call.op, "name", "")
    first = call.args[0] if call.args else None
    if name in _ROUNDING and isinstance(first, FloatImm):
        return FloatImm(call.dtype, float(_ROUNDING[name](first.value)), call.span)
    if name == "tir.if_then_else" and isinstance(first, IntImm):
        return call.args[1] if first.value else call.args[2]
    compute = BITWISE.get(name)
    if compute is None or call.dtype.is_bool:
        return call
    a, b = call.args
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        return IntImm(call.dtype, wrap(compute(a.value, b.value), call.dtype), call.span)
    is_shift = name in ("tir.shift_left", "tir.shift_right")
    return a if is_shift and isinstance(b, IntImm) and b.value == 0 else call


def _folding(name: str) -> Callable[..., Expr]:
    """Return the function of `T` of this name, with its result folded."""
    function: Callable[..., Expr] = intrin.SURFACE[name]

    @wraps(function)
    def build(*args: Any, **kwargs: Any) -> Expr:
        return fold(function(*args, **kwargs))

    return build


def _extreme(name: str) -> Callable[..., Expr]:
    """Return `min` or `max` of one or more operands."""
    of_two = _folding(name)

    def build(*values: Any, span: Any = None) -> Expr:
        if len(values) < 2:
            raise WrongArgumentCount(where=f"tir.{name}", expected="two or more operands", got=len(values))
        first, *rest = values
        result: Expr = reduce(lambda a, b: of_two(a, b, span), rest, first)
        return result

    build.__doc__ = of_two.__doc__
    return build


def _connective(of_two: Callable[..., Expr], of_all: Callable[..., Expr]) -> Callable[..., Expr]:
    """Return the connective of one or more conditions; constants are folded."""

    def build(*conditions: Any, span: Any = None) -> Expr:
        if not conditions:
            return of_all()  # it says what is missing
        first: Expr = of_all(conditions[0])
        return reduce(lambda a, b: fold(of_two(a, b, span)), conditions[1:], first)

    build.__doc__ = of_all.__doc__
    return build


def ceildiv(lhs: Any, rhs: Any, span: Any = None) -> Expr:
    """Return lhs / rhs of integers, rounded up."""
    a, b = match_types(lhs, rhs, "tir.ceildiv", span)
    return fold(floordiv(fold(sub(fold(add(a, b)), const(1, b.dtype))), b))


def absolute(x: Any, span: Any = None) -> Expr:
    """Return the absolute value."""
    return IntImm(x.dtype, abs(x.value)) if isinstance(x, IntImm) else _folding("abs")(x, span=span)


def _operator(function: Callable[..., Expr]) -> Callable[..., Expr]:
    """Return an operator as a function of two operands, with its result folded."""

    def build(lhs: Any, rhs: Any, span: Any = None) -> Expr:
        return fold(function(lhs, rhs, span))

    build.__doc__ = function.__doc__
    return build


#: name in `tir` -> function that folds
FUNCTIONS: Final[dict[str, Callable[..., Expr]]] = {
    "all": _connective(logical_and, all_of),
    "any": _connective(logical_or, any_of),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "ceildiv": ceildiv,
    "abs": absolute,
    "add": _operator(add),
    "subtract": _operator(sub),
    "multiply": _operator(mul),
    "div": _operator(truncdiv),
    "indexdiv": _folding("floordiv"),
    "indexmod": _folding("floormod"),
    **{
        name: _folding(name)
        for name in ("floordiv", "floormod", "truncdiv", "truncmod", "shift_left", "shift_right", "bitwise_and")
    },
    **{name: _folding(name) for name in ("bitwise_or", "bitwise_xor", "cast", "if_then_else")},
    **{name.removeprefix("tir."): _folding(name.removeprefix("tir.")) for name in _ROUNDING},
}

base.fold.fill(fold)
