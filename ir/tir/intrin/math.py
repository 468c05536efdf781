"""Mathematical functions of floats, lane by lane. The dtype of the result is that of the first argument."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tvmscript.ir.core.dtype import BOOL, FLOAT32, DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import EQ, GE, And, Broadcast, Cast, IntImm, Not, Select, Sub
from tvmscript.ir.tir.intrin import reference_math
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, Reference, offer, same_as_first, surface
from tvmscript.ir.tir.operators import as_expr, const, match_types
from tvmscript.ir.tir.substitute import rename_definitions


def _unary(
    name: str, reference: Reference, doc: str, *, vectorizable: bool = True, llvm: str | None = None
) -> Intrinsic:
    entry = Intrinsic(
        name, "x", same_as_first, vectorizable=vectorizable, reference=reference, llvm=llvm, doc=doc
    )  # fmt: skip
    return offer(entry)


def _scalar(name: str, reference: Reference, doc: str) -> Intrinsic:
    return _unary(name, reference, doc, vectorizable=False)


exp = _unary("exp", reference_math.exp, "e to the power of x.")
exp2 = _unary("exp2", reference_math.exp2, "2 to the power of x.")
exp10 = _unary("exp10", reference_math.exp10, "10 to the power of x.")
log = _unary("log", reference_math.log, "The natural logarithm; -inf at 0, nan for negative numbers.")
log2 = _unary("log2", reference_math.log2, "The logarithm to base 2.")
log10 = _unary("log10", reference_math.log10, "The logarithm to base 10.")
log1p = _scalar("log1p", reference_math.log1p, "log(1 + x), exact near 0.")
sin = _unary("sin", reference_math.sin, "The sine of x radians.")
cos = _unary("cos", reference_math.cos, "The cosine of x radians.")
tan = _unary("tan", reference_math.tan, "The tangent of x radians.")
asin = _scalar("asin", reference_math.asin, "The arc sine, in [-pi/2, pi/2].")
acos = _scalar("acos", reference_math.acos, "The arc cosine, in [0, pi].")
atan = _scalar("atan", math.atan, "The arc tangent, in [-pi/2, pi/2].")
sinh = _unary("sinh", reference_math.sinh, "The hyperbolic sine.")
cosh = _unary("cosh", reference_math.cosh, "The hyperbolic cosine.")
tanh = _unary("tanh", math.tanh, "The hyperbolic tangent.")
asinh = _scalar("asinh", math.asinh, "The inverse hyperbolic sine.")
acosh = _scalar("acosh", reference_math.acosh, "The inverse hyperbolic cosine; nan below 1.")
atanh = _scalar("atanh", reference_math.atanh, "The inverse hyperbolic tangent; infinite at -1 and 1.")
erf = _scalar("erf", math.erf, "The error function.")
sigmoid = _unary("sigmoid", reference_math.sigmoid, "1 / (1 + exp(-x)).")
sqrt = _unary("sqrt", reference_math.sqrt, "The square root; nan for negative numbers.", llvm="llvm.sqrt")
rsqrt = _scalar("rsqrt", reference_math.rsqrt, "1 / sqrt(x).")


def _binary(name: str, reference: Reference, doc: str, **options: Any) -> Intrinsic:
    params = options.pop("params", "x1 x2")
    return offer(Intrinsic(name, params, same_as_first, reference=reference, doc=doc, **options))


atan2 = _binary("atan2", math.atan2, "The angle of the point (x2, x1), in [-pi, pi].")
hypot = _binary("hypot", math.hypot, "sqrt(x1 * x1 + x2 * x2) without overflow on the way.")
copysign = _binary("copysign", math.copysign, "x1 with the sign of x2.", llvm="llvm.copysign")
ldexp = _binary("ldexp", reference_math.ldexp, "x1 * 2 ** x2, x2 an integer.")
fmod = _binary(
    "fmod", reference_math.fmod, "The remainder of x / y rounded towards zero: it has the sign of x.", params="x y"
)
nextafter = offer(
    Intrinsic(
        "nextafter",
        "x1 x2",
        same_as_first,
        typed_reference=reference_math.nextafter,
        doc="The next value of the dtype after x1 towards x2.",
    )
)
fma = offer(
    Intrinsic(
        "fma",
        "x y z",
        same_as_first,
        vectorizable=True,
        typed_reference=reference_math.fma,
        llvm="llvm.fma",
        doc="x * y + z, rounded once.",
    )
)

pow_ = Intrinsic(
    "pow",
    "x y",
    same_as_first,
    vectorizable=True,
    reference=reference_math.power,
    doc="x to the power of y, for floats.",
)


@surface("pow", "power")
def pow(x: Any, y: Any, dtype: Any = None, span: Span | None = None) -> Expr:
    """x to the power of y. Raises `WrongType` for a base that is no float."""
    x, y = match_types(x, y, "T.pow", span)
    if not x.dtype.is_floating:
        raise WrongType(where="T.pow", expected="floats", got=x.dtype, span=span, hint="cast the base to a float first")
    return pow_(x, y, span=span)


def _rounding(name: str, reference: Reference, doc: str, *, vectorizable: bool = True) -> Intrinsic:
    """A rounding to integers; an integer argument is returned as it is."""
    entry = Intrinsic(
        name, "x", same_as_first, vectorizable=vectorizable, reference=reference, llvm=f"llvm.{name}", doc=doc
    )  # fmt: skip

    def build(x: Any, dtype: Any = None, span: Span | None = None) -> Expr:
        value = as_expr(x, None, span)
        return value if value.dtype.is_integer else entry(value, span=span)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"{doc} An integer is returned as it is."
    surface(name)(build)
    return entry


floor = _rounding("floor", reference_math.floor, "The largest integer that is not above x.")
ceil = _rounding("ceil", reference_math.ceil, "The smallest integer that is not below x.")
trunc = _rounding("trunc", reference_math.trunc, "x rounded towards zero.")
round_ = _rounding("round", reference_math.round_away, "x rounded to the nearest integer, halves away from zero.")
nearbyint = _rounding(
    "nearbyint", reference_math.nearbyint, "x rounded to the nearest integer, halves to even.", vectorizable=False
)

fabs = Intrinsic(
    "fabs", "x", same_as_first, vectorizable=True, reference=abs, llvm="llvm.fabs", doc="The absolute value of a float."
)


@surface("abs", "fabs")
def abs_(x: Any, dtype: Any = None, span: Span | None = None) -> Expr:
    """The absolute value: `fabs` of floats, a Select for signed integers, unsigned numbers as they are."""
    value = as_expr(x, None, span)
    if value.dtype.is_floating:
        return fabs(value, span=span)
    if not value.dtype.is_integer:
        raise WrongType(where="T.abs", expected="a number", got=value.dtype, span=span)
    if not value.dtype.is_signed:
        return value
    zero = const(0, value.dtype, span)
    # what the value defines inside of itself is defined in each of its three places
    again, negated = rename_definitions(value), rename_definitions(value)
    return Select(GE(value, zero, span=span), again, Sub(zero, negated, span=span), span=span)


def _bool_like(args: tuple[Expr, ...]) -> DType:
    return BOOL.with_lanes(args[0].dtype.lanes)


isnan_ = Intrinsic("isnan", "x", _bool_like, reference=lambda x: x != x, doc="Whether a float is not a number.")
#: Spellings that lowering knows; `T.isinf` and `T.isfinite` write comparisons instead, as TVM does.
isinf_ = Intrinsic(
    "isinf", "*args", _bool_like, script_name="", reference=math.isinf, doc="Whether a float is infinite."
)
isfinite_ = Intrinsic(
    "isfinite", "*args", _bool_like, script_name="", reference=math.isfinite, doc="Whether a float is finite."
)


def _classify(name: str, of_integer: bool, of_float: Callable[[Expr, Span | None], Expr]) -> Callable[..., Expr]:
    def build(x: Any, dtype: Any = None, span: Span | None = None) -> Expr:
        x = as_expr(x, None, span)
        if x.dtype.is_integer:
            known = IntImm(BOOL, of_integer, span)
            return known if x.dtype.lanes == 1 else Broadcast(known, x.dtype.lanes, span=span)
        if not x.dtype.is_floating:
            raise WrongType(where=f"T.{name}", expected="a number", got=x.dtype, span=span)
        made: Expr = of_float(x, span)
        return made

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"{name}(x) as a bool; integers are always finite."
    return surface(name)(build)


def _is_nan(x: Expr, span: Span | None) -> Expr:
    if x.dtype.bits < 32:  # TVM asks the widened value
        x = Cast(FLOAT32.with_lanes(x.dtype.lanes), x, span=span)
    return isnan_(x, span=span)


def _is_inf(x: Expr, span: Span | None) -> Expr:
    infinite = EQ(fabs(x, span=span), const(math.inf, x.dtype, span), span=span)
    return And(infinite, Not(_is_nan(rename_definitions(x), span), span=span), span=span)


def _is_finite(x: Expr, span: Span | None) -> Expr:
    unknown = _is_nan(rename_definitions(x), span)
    return And(Not(_is_inf(x, span), span=span), Not(unknown, span=span), span=span)


isnan = _classify("isnan", False, _is_nan)
isinf = _classify("isinf", False, _is_inf)
isfinite = _classify("isfinite", True, _is_finite)
