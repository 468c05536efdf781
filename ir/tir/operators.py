"""Building expressions from Python values: constants, type matching, and what Python's operators mean.

Operands are converted as TVM does: a Python number is an int32 or a float32, a scalar meets a vector as a broadcast,
an integer meets a float as that float, and of two integers the wider wins, of equal widths the unsigned one. Nothing is
folded but conversions of constants.
"""

from __future__ import annotations

from functools import reduce
from numbers import Real
from typing import Any, Final, SupportsIndex

from tvmscript.ir.core import BOOL, FLOAT32, FLOAT64, INT32, INT64, DType, Span
from tvmscript.ir.core.attrs import constant_of
from tvmscript.ir.core.errors import DTypeMismatch, ValueOutOfRange, WrongArgumentCount, WrongType
from tvmscript.ir.tir.base import OPERATORS, Convertible, Expr, cast_to, negate, to_expr
from tvmscript.ir.tir.errors import AmbiguousDivision
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
    Broadcast,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    StringImm,
    Sub,
)

#: numbers beyond it are no float32
LARGEST_FLOAT32: Final = 3.4028234663852886e38


def const(value: float | bool, dtype: DType | str | None = None, span: Span | None = None) -> Expr:
    """A constant of the dtype that is given, of a NumPy number's own, or of bool, int32 and float32.

    Without a dtype it is int64 or float64 where it does not fit. A vector dtype broadcasts it. Raises
    `ValueOutOfRange`, `WrongType`.
    """
    if dtype is None:
        own = getattr(value, "dtype", None)
        if own is not None:
            dtype = DType(str(own))
        elif isinstance(value, bool):
            dtype = BOOL
        elif isinstance(value, int):
            dtype = INT32 if INT32.min_value <= value <= INT32.max_value else INT64
        else:
            dtype = FLOAT32 if abs(value) <= LARGEST_FLOAT32 else FLOAT64
    elif type(dtype) is not DType:
        dtype = DType(dtype)
    if dtype.lanes != 1:
        return Broadcast(const(value, dtype.element, span), dtype.lanes, span=span)
    if dtype.is_integer:
        return IntImm(dtype, int(value), span)
    if dtype.is_floating:
        try:
            return FloatImm(dtype, float(value), span)
        except OverflowError:
            raise ValueOutOfRange(value="the integer", dtype=dtype, span=span) from None
    raise WrongType(where="a constant", expected="an integer or floating-point dtype", got=dtype, span=span)


def as_expr(value: object, dtype: DType | None = None, span: Span | None = None) -> Expr:
    """The expression for a Python value or expression. Raises `WrongType` for anything else."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, (bool, int, float)):
        return const(value, dtype, span)
    if isinstance(value, str):
        return StringImm(value, span=span)
    if isinstance(value, SupportsIndex):
        return const(int(value), dtype, span)
    if isinstance(value, Real):  # as NumPy's float32 is, which is no float
        return const(float(value), dtype, span)
    if isinstance(value, Convertible):
        return value.asobject()
    raise WrongType(where="an expression", expected="a number or an expression", got=repr(value), span=span)


def cast(dtype: DType | str, value: object, span: Span | None = None) -> Expr:
    """The value converted to a dtype; constants and what is broadcast are converted right away, as TVM does."""
    if isinstance(value, Expr) and type(dtype) is DType:
        return value if value.dtype is dtype else _cast(dtype, value, span)
    dtype = DType(dtype)
    return _cast(dtype, as_expr(value, dtype.element if isinstance(value, (bool, int, float)) else None, span), span)


def _cast(dtype: DType, value: Expr, span: Span | None) -> Expr:
    if value.dtype is dtype:
        return value
    if value.dtype.is_handle or value.dtype.code == "void":
        raise WrongType(where=f"a cast to {dtype}", expected="a number", got=value.dtype, span=span)
    if dtype.lanes != value.dtype.lanes and value.dtype.lanes == 1:
        return Broadcast(cast(dtype.element, value, span), dtype.lanes, span=span)
    if isinstance(value, IntImm):
        if dtype.is_integer:
            return IntImm(dtype, wrap(value.value, dtype), span)
        if dtype.is_floating:
            return FloatImm(dtype, float(value.value), span)
    if isinstance(value, FloatImm) and dtype.is_floating:
        return FloatImm(dtype, value.value, span)
    if isinstance(value, Broadcast) and dtype.lanes == value.dtype.lanes:
        return Broadcast(cast(dtype.element, value.value, span), value.lanes, span=span)
    return Cast(dtype, value, span=span)


def wrap(value: int, dtype: DType) -> int:
    """Wrap an integer to a dtype (two's complement; bool is "not zero")."""
    if dtype.is_bool:
        return int(value != 0)
    value &= (1 << dtype.bits) - 1
    return value - (1 << dtype.bits) if dtype.code == "int" and value >> (dtype.bits - 1) else value


def match_types(a: object, b: object, where: str = "a binary operator", span: Span | None = None) -> tuple[Expr, Expr]:
    """Convert both operands to one dtype (TVM's BinaryOpMatchTypes). Raises `DTypeMismatch`."""
    if not isinstance(a, Expr):
        a = as_expr(a, b.dtype.element if isinstance(b, Expr) and _takes(a, b.dtype) else None, span)
    if not isinstance(b, Expr):
        b = as_expr(b, a.dtype.element if _takes(b, a.dtype) else None, span)
    left, right = a.dtype, b.dtype
    if left is right:
        return a, b
    if left.lanes != right.lanes:
        if left.lanes == 1:
            a = Broadcast(a, right.lanes, span=span)
        elif right.lanes == 1:
            b = Broadcast(b, left.lanes, span=span)
        else:
            raise DTypeMismatch(where=where, left=left, right=right, span=span)
        left, right = a.dtype, b.dtype
        if left is right:
            return a, b
    if left.is_handle or right.is_handle or "void" in (left.code, right.code):
        raise DTypeMismatch(where=where, left=left, right=right, span=span)
    target = _common(left, right)
    if target is None:
        raise DTypeMismatch(where=where, left=left, right=right, span=span)
    return _cast(target, a, span), _cast(target, b, span)


def _takes(value: object, dtype: DType) -> bool:
    """Whether a Python number is written in the other operand's dtype.

    A number is an int32 or a float32 before types are matched, so narrower operands are widened to it.
    """
    if isinstance(value, float):
        return dtype.is_floating and dtype.bits >= 32
    if not isinstance(value, int):
        return False
    return dtype.is_floating or (dtype.is_integer and dtype.bits >= 32 and dtype.min_value <= value <= dtype.max_value)


def _common(left: DType, right: DType) -> DType | None:
    if left.is_floating or right.is_floating:
        if not right.is_floating:
            return left
        if not left.is_floating:
            return right
        if left.bits == right.bits:
            return None  # float16 and bfloat16: neither holds the other
        return left if left.bits > right.bits else right
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    return left if left.code == "uint" else right


def _binary(cls: type[BinaryOp]) -> Any:
    name = cls.__name__

    def build(a: object, b: object, span: Span | None = None) -> Expr:
        if not (isinstance(a, Expr) and isinstance(b, Expr) and a.dtype is b.dtype):
            a, b = match_types(a, b, name, span)
        return cls(a, b, span=span)

    build.__name__ = build.__qualname__ = name.lower()
    build.__doc__ = f"{cls.__doc__} Operands are converted to one dtype; nothing is folded."
    return build


add = _binary(Add)
sub = _binary(Sub)
mul = _binary(Mul)
truncdiv = _binary(Div)
truncmod = _binary(Mod)
minimum = _binary(Min)
maximum = _binary(Max)
eq = _binary(EQ)
ne = _binary(NE)
lt = _binary(LT)
le = _binary(LE)
gt = _binary(GT)
ge = _binary(GE)


def _on_integers(cls: type[BinaryOp], symbol: str, instead: str) -> Any:
    plain = _binary(cls)

    def build(a: object, b: object, span: Span | None = None) -> Expr:
        quotient: Expr = plain(a, b, span)
        if not quotient.dtype.is_integer:
            hint = f"on floats write {instead}"
            raise WrongType(where=symbol, expected="integers", got=quotient.dtype, span=span, hint=hint)
        return quotient

    build.__name__ = build.__qualname__ = cls.__name__.lower()
    build.__doc__ = f"{cls.__doc__} Raises `WrongType` for floats."
    return build


floordiv = _on_integers(FloorDiv, "//", "T.floor(a / b)")
floormod = _on_integers(FloorMod, "%", "T.fmod(a, b), which has the sign of a")


def logical_and(a: object, b: object, span: Span | None = None) -> Expr:
    """a and b. Raises `DTypeMismatch` for operands that are not bool."""
    return And(*match_types(a, b, "And", span), span=span)


def logical_or(a: object, b: object, span: Span | None = None) -> Expr:
    """a or b. Raises `DTypeMismatch` for operands that are not bool."""
    return Or(*match_types(a, b, "Or", span), span=span)


def all_of(*conditions: object, span: Span | None = None) -> Expr:
    """Return the conjunction of one or more conditions: `tvm.tir.all`."""
    return reduce(lambda a, b: logical_and(a, b, span), conditions[1:], as_expr(_first(conditions, "all")))


def any_of(*conditions: object, span: Span | None = None) -> Expr:
    """Return the disjunction of one or more conditions: `tvm.tir.any`."""
    return reduce(lambda a, b: logical_or(a, b, span), conditions[1:], as_expr(_first(conditions, "any")))


def _first(conditions: tuple[object, ...], where: str) -> Any:
    if not conditions:
        raise WrongArgumentCount(where=where, expected="one or more conditions", got="none")
    return conditions[0]


def logical_not(a: object, span: Span | None = None) -> Expr:
    """not a."""
    return Not(as_expr(a, None, span), span=span)


def div(a: object, b: object, span: Span | None = None) -> Expr:
    """`a / b` of floats. Raises `AmbiguousDivision` for integers: `//` or `T.truncdiv` says which division is meant."""
    a, b = match_types(a, b, "Div", span)
    if a.dtype.is_integer:
        raise AmbiguousDivision(
            where="/",
            expected="floats",
            got=a.dtype,
            span=span,
            hint="use // (rounds down) or T.truncdiv (rounds towards zero) on integers",
        )
    return Div(a, b, span=span)


def neg(a: Expr, span: Span | None = None) -> Expr:
    """`-a`, which is a * -1 as TVM writes it."""
    return Mul(a, const(-1, a.dtype, span), span=span)


for _function in (add, sub, mul, div, floordiv, floormod, lt, le, gt, ge, eq, ne):
    OPERATORS[_function.__name__].fill(_function)
negate.fill(neg)
cast_to.fill(cast)
to_expr.fill(as_expr)
constant_of.fill(as_expr)
