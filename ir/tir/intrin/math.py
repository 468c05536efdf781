"""Mathematical functions of floats, lane by lane. The dtype of the result is that of the first argument."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from tvmscript.ir.core import BOOL, FLOAT32, DType, Span, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import EQ, GE, And, Broadcast, Cast, IntImm, Not, Select, Sub
from tvmscript.ir.tir.intrin import reference_math
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, Reference, same_as_first, script_intrinsic, surface
from tvmscript.ir.tir.operators import as_expr, const, match_types
from tvmscript.ir.tir.substitute import rename_definitions

#: Kinds of targets whose functions are overloaded: one name for every dtype.
_OVERLOADED = ("metal", "opencl", "webgpu")
#: All kinds of targets, as `_functions` takes them.
_ALL = "c cuda llvm metal opencl webgpu rocm hexagon nvptx"
#: Kinds of targets that are compiled by LLVM.
_LLVM_TARGETS = ("llvm", "rocm", "hexagon")


def _functions(
    name: str, targets: str, *, llvm: str = "", half: str = "", is_fast: bool = False
) -> dict[str, dict[str, str]]:
    """Return the functions that these kinds of targets have for `name`, a function of C's math.h.

    `target=other` is a function of another name; `llvm` is another LLVM intrinsic than `llvm.<name>`, `half` CUDA's
    function of narrow floats. `is_fast`: CUDA has a less accurate function of float32.
    """
    functions: dict[str, dict[str, str]] = {}
    for target in targets.split():
        kind, _, own_name = target.partition("=")
        if kind == "c":
            functions[kind] = {"float32": f"{name}f", "float64": name}
        elif kind == "cuda":
            narrow = half or f"h{name}"
            single = f"__{name}f" if is_fast else f"{name}f"
            functions[kind] = {"float16": narrow, "bfloat16": narrow, "float32": single, "float64": name}
        elif kind == "nvptx":
            functions[kind] = {"float32": f"__nv_{name}f", "float64": f"__nv_{name}"}
        elif kind in _LLVM_TARGETS:
            functions[kind] = {"": llvm or f"llvm.{name}"}
        else:
            assert kind in _OVERLOADED, kind
            functions[kind] = {"": own_name or name}
    return functions


def _function(
    name: str,
    reference: Reference,
    doc: str,
    *,
    ulp: tuple[int, int],
    params: str = "x",
    llvm: str | None = "math.{name}",
    targets: str = "",
    vectorizable: bool = True,
    is_fast: bool = False,
    is_in_c: bool = True,
) -> Intrinsic:
    return script_intrinsic(
        name,
        params,
        same_as_first,
        vectorizable=vectorizable,
        reference=reference,
        llvm=llvm and llvm.format(name=name),
        c_name=name if is_in_c else None,
        functions=_functions(name, targets, is_fast=is_fast),
        ulp=ulp,
        doc=doc,
    )


_fast_function = partial(_function, is_fast=True)
_scalar_function = partial(_function, vectorizable=False)
_binary_function = partial(_function, params="x1 x2", vectorizable=False)

exp = _fast_function("exp", reference_math.exp, "e to the power of x.", ulp=(2, 3), targets=_ALL)
exp2 = _function(
    "exp2", reference_math.exp2, "2 to the power of x.", ulp=(2, 3), targets="cuda llvm metal opencl webgpu rocm nvptx"
)
exp10 = _fast_function(
    "exp10", reference_math.exp10, "10 to the power of x.", ulp=(2, 3), targets="cuda metal opencl nvptx"
)
log = _fast_function(
    "log", reference_math.log, "The natural logarithm; -inf at 0, nan for negative numbers.", ulp=(2, 2), targets=_ALL
)
log2 = _fast_function(
    "log2",
    reference_math.log2,
    "The logarithm to base 2.",
    ulp=(2, 2),
    targets="c cuda llvm metal opencl webgpu rocm nvptx",
)
log10 = _fast_function(
    "log10",
    reference_math.log10,
    "The logarithm to base 10.",
    ulp=(2, 2),
    targets="c cuda llvm metal opencl rocm nvptx",
)
log1p = _scalar_function("log1p", reference_math.log1p, "log(1 + x), accurate near 0.", ulp=(2, 2), targets="c")
sin = _fast_function("sin", reference_math.sin, "The sine of x radians.", ulp=(2, 2), targets=_ALL)
cos = _fast_function("cos", reference_math.cos, "The cosine of x radians.", ulp=(2, 2), targets=_ALL)
tan = _function("tan", reference_math.tan, "The tangent of x radians.", ulp=(3, 4), targets="c cuda webgpu nvptx")
asin = _scalar_function("asin", reference_math.asin, "The arc sine, in [-pi/2, pi/2].", ulp=(2, 2), targets="c webgpu")
acos = _scalar_function("acos", reference_math.acos, "The arc cosine, in [0, pi].", ulp=(2, 2), targets="c webgpu")
atan = _scalar_function(
    "atan", math.atan, "The arc tangent, in [-pi/2, pi/2].", ulp=(2, 4), targets="c cuda webgpu nvptx"
)
sinh = _function(
    "sinh", reference_math.sinh, "The hyperbolic sine.", ulp=(3, 3), targets="c cuda metal opencl webgpu nvptx"
)
cosh = _function(
    "cosh", reference_math.cosh, "The hyperbolic cosine.", ulp=(2, 3), targets="c cuda metal opencl webgpu nvptx"
)
tanh = _function("tanh", math.tanh, "The hyperbolic tangent.", ulp=(3, 3), targets="c cuda opencl nvptx")
asinh = _scalar_function("asinh", math.asinh, "The inverse hyperbolic sine.", ulp=(3, 3), targets="c webgpu")
acosh = _scalar_function(
    "acosh", reference_math.acosh, "The inverse hyperbolic cosine; nan below 1.", ulp=(2, 4), targets="c webgpu"
)
atanh = _scalar_function(
    "atanh", reference_math.atanh, "The inverse hyperbolic tangent; infinite at -1 and 1.", ulp=(3, 4), targets="c"
)
erf = _scalar_function("erf", math.erf, "The error function.", ulp=(3, 3), targets="c cuda opencl nvptx")
sigmoid = _function("sigmoid", reference_math.sigmoid, "1 / (1 + exp(-x)).", ulp=(4, 4), is_in_c=False)
sqrt = _function(
    "sqrt",
    reference_math.sqrt,
    "The square root; nan for negative numbers.",
    ulp=(0, 0),
    targets=_ALL,
)
rsqrt = _scalar_function("rsqrt", reference_math.rsqrt, "1 / sqrt(x).", ulp=(3, 3), is_in_c=False)


atan2 = _binary_function(
    "atan2", math.atan2, "The angle of the point (x2, x1), in [-pi, pi].", ulp=(1, 4), targets="c webgpu"
)
hypot = _binary_function(
    "hypot", math.hypot, "sqrt(x1 * x1 + x2 * x2) without intermediate overflow.", ulp=(1, 2), targets="c"
)
copysign = _binary_function(
    "copysign", math.copysign, "x1 with the sign of x2.", ulp=(0, 0), llvm="llvm.copysign", targets="c"
)
ldexp = _binary_function(
    "ldexp", reference_math.ldexp, "x1 * 2 ** x2, x2 an integer.", ulp=(0, 0), llvm=None, targets="c"
)
fmod = _scalar_function(
    "fmod",
    reference_math.fmod,
    "The remainder of x / y rounded towards zero: it has the sign of x.",
    ulp=(0, 0),
    params="x y",
    llvm=None,
    targets="cuda metal opencl",
)
nextafter = script_intrinsic(
    "nextafter",
    "x1 x2",
    same_as_first,
    typed_reference=reference_math.nextafter,
    c_name="nextafter",
    functions=_functions("nextafter", "c"),
    ulp=(0, 0),
    doc="The next value of the dtype after x1 towards x2.",
)
fma = script_intrinsic(
    "fma",
    "x y z",
    same_as_first,
    vectorizable=True,
    typed_reference=reference_math.fma,
    llvm="llvm.fma",
    c_name="fma",
    functions=_functions("fma", "llvm webgpu rocm hexagon nvptx", llvm="llvm.fmuladd"),
    ulp=(0, 0),
    doc="x * y + z with one rounding.",
)

pow_ = Intrinsic(
    "pow",
    "x y",
    same_as_first,
    vectorizable=True,
    reference=reference_math.power,
    llvm="math.pow",
    c_name="pow",
    functions=_functions("pow", _ALL),
    ulp=(2, 3),
    doc="x to the power of y, for floats.",
)


@surface("pow", "power")
def pow(x: object, y: object, dtype: object = None, span: Span | None = None) -> Expr:
    """x to the power of y. Raises `WrongType` for a base that is no float."""
    x, y = match_types(x, y, "T.pow", span)
    if not x.dtype.is_floating:
        raise WrongType(where="T.pow", expected="floats", got=x.dtype, span=span, hint="cast the base to a float first")
    return pow_(x, y, span=span)


def _rounding(
    name: str,
    reference: Reference,
    doc: str,
    *,
    targets: str,
    llvm: str = "",
    half: str = "",
    vectorizable: bool = True,
) -> Intrinsic:
    """A rounding to integers; an integer argument is returned as it is."""
    entry = Intrinsic(
        name,
        "x",
        same_as_first,
        vectorizable=vectorizable,
        reference=reference,
        llvm=llvm or f"llvm.{name}",
        c_name=name,
        functions=_functions(name, targets, half=half),
        ulp=(0, 0),
        doc=doc,
    )

    def build(x: object, dtype: object = None, span: Span | None = None) -> Expr:
        value = as_expr(x, None, span)
        return value if value.dtype.is_integer else entry(value, span=span)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = f"{doc} An integer is returned as it is."
    surface(name)(build)
    return entry


floor = _rounding("floor", reference_math.floor, "x rounded down to an integer.", targets=_ALL)
ceil = _rounding("ceil", reference_math.ceil, "x rounded up to an integer.", targets=_ALL)
trunc = _rounding(
    "trunc", reference_math.trunc, "x rounded towards zero.", targets="cuda llvm metal opencl webgpu rocm hexagon nvptx"
)
round_ = _rounding(
    "round",
    reference_math.round_away,
    "x rounded to the nearest integer, halves away from zero.",
    targets=_ALL,
    half="hrint",
)
nearbyint = _rounding(
    "nearbyint",
    reference_math.nearbyint,
    "x rounded to the nearest integer, halves to even.",
    targets="c cuda llvm metal opencl rocm hexagon nvptx",
    llvm="llvm.roundeven",
    vectorizable=False,
)

fabs = Intrinsic(
    "fabs",
    "x",
    same_as_first,
    vectorizable=True,
    reference=abs,
    llvm="llvm.fabs",
    c_name="fabs",
    functions=_functions("fabs", "cuda llvm metal opencl webgpu=abs rocm hexagon nvptx", half="__habs"),
    ulp=(0, 0),
    doc="The absolute value of a float.",
)


@surface("abs", "fabs")
def abs_(x: object, dtype: object = None, span: Span | None = None) -> Expr:
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


isnan_ = Intrinsic(
    "isnan", "x", _bool_like, reference=lambda x: x != x, ulp=(0, 0), doc="Whether a float is not a number."
)
#: Spellings that lowering knows; `T.isinf` and `T.isfinite` write comparisons instead, as TVM does.
isinf_ = Intrinsic(
    "isinf",
    "*args",
    _bool_like,
    script_name="",
    reference=math.isinf,
    ulp=(0, 0),
    doc="Whether a float is infinite.",
)
isfinite_ = Intrinsic(
    "isfinite",
    "*args",
    _bool_like,
    script_name="",
    reference=math.isfinite,
    ulp=(0, 0),
    doc="Whether a float is finite.",
)


def _classify(name: str, of_integer: bool, of_float: Callable[[Expr, Span | None], Expr]) -> Callable[..., Expr]:
    def build(x: object, dtype: object = None, span: Span | None = None) -> Expr:
        x = as_expr(x, None, span)
        if x.dtype.is_integer:
            answer = IntImm(BOOL, of_integer, span)
            return answer if x.dtype.lanes == 1 else Broadcast(answer, x.dtype.lanes, span=span)
        if not x.dtype.is_floating:
            raise WrongType(where=f"T.{name}", expected="a number", got=x.dtype, span=span)
        result: Expr = of_float(x, span)
        return result

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
