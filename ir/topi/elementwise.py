"""Functions of single elements: mathematics, casts, bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, overload

from tvmscript.ir.core import DType, Span
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Elements, Tensor
from tvmscript.ir.tir import Div, Expr, Not, Select, as_expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.broadcast import maximum, minimum
from tvmscript.ir.topi.common import ELEMWISE, define, function, known_int, named, single, sum_of

Unary = Callable[[Tensor], Tensor]
Value = Callable[[Expr], Expr]
Constant = Callable[[float, DType], Expr]


def _unary(name: str, definition: str, value: Value | None = None) -> Unary:
    """Return the operator whose elements are a function of those of its operand."""
    of_element = value or function(name)

    @named(name, f"Return {definition} of each element.")
    def operator(x: Tensor) -> Tensor:
        return compute(x.shape, lambda *i: of_element(x(*i)), tag=ELEMWISE)

    return operator


def _named(name: str, definition: str, value: Value) -> Unary:
    """Return an operator whose result has the operator's name in TVM."""

    @named(name, f"Return {definition} of each element.")
    def operator(x: Tensor) -> Tensor:
        return define(x.shape, lambda *i: value(x(*i)), f"T_{name}", ELEMWISE)

    return operator


def _minus_one(dtype: DType) -> Expr:
    """Return -1; of unsigned integers, which TVM refuses to negate, the greatest: a product with it wraps around."""
    return const(dtype.max_value if dtype.code == "uint" else -1, dtype)


abs: Final = _unary("abs", "numpy.abs")
acos: Final = _unary("acos", "numpy.arccos")
acosh: Final = _unary("acosh", "numpy.arccosh")
asin: Final = _unary("asin", "numpy.arcsin")
asinh: Final = _unary("asinh", "numpy.arcsinh")
atan: Final = _unary("atan", "numpy.arctan")
atanh: Final = _unary("atanh", "numpy.arctanh")
ceil: Final = _unary("ceil", "numpy.ceil")
cos: Final = _unary("cos", "numpy.cos")
cosh: Final = _unary("cosh", "numpy.cosh")
erf: Final = _unary("erf", "scipy.special.erf")
exp: Final = _unary("exp", "numpy.exp")
floor: Final = _unary("floor", "numpy.floor")
identity: Final = _unary("identity", "the value", lambda x: x)
isfinite: Final = _unary("isfinite", "numpy.isfinite")
isinf: Final = _unary("isinf", "numpy.isinf")
isnan: Final = _unary("isnan", "numpy.isnan")
log: Final = _unary("log", "numpy.log")
log10: Final = _unary("log10", "numpy.log10")
log2: Final = _unary("log2", "numpy.log2")
negative: Final = _unary("negative", "numpy.negative", lambda x: x * _minus_one(x.dtype))
round: Final = _unary("round", "the nearest integer, of two the one away from 0,")
rsqrt: Final = _unary("rsqrt", "1 / numpy.sqrt")
sigmoid: Final = _unary("sigmoid", "ONNX's Sigmoid")
sin: Final = _unary("sin", "numpy.sin")
sinh: Final = _unary("sinh", "numpy.sinh")
sqrt: Final = _unary("sqrt", "numpy.sqrt")
tan: Final = _unary("tan", "numpy.tan")
tanh: Final = _unary("tanh", "numpy.tanh")
trunc: Final = _unary("trunc", "numpy.trunc")
bitwise_not: Final = _named("bitwise_not", "numpy.bitwise_not", function("bitwise_not"))
logical_not: Final = _named("logical_not", "numpy.logical_not", Not)


def _sign(x: Expr) -> Expr:
    zero, one, minus_one = const(0, x.dtype), const(1, x.dtype), _minus_one(x.dtype)
    return Select(zero < x, one, Select(x < zero, minus_one, zero))


sign: Final = _named("sign", "numpy.sign, 0 where that is nan,", _sign)


@overload
def ceil_log2(x: Tensor) -> Tensor: ...
@overload
def ceil_log2(x: Operand) -> Expr: ...
def ceil_log2(x: Elements) -> Tensor | Expr:
    """Return ceil(log2(x)) of an integer, or of each element."""
    if isinstance(x, Tensor):
        return compute(x.shape, lambda *i: ceil_log2(x(*i)), tag=ELEMWISE)
    value = as_expr(x)
    if not value.dtype.is_integer:
        return function("ceil")(function("log2")(value))
    bits = value.dtype.bits
    if (number := known_int(value)) is not None:
        return const((number - 1).bit_length(), value.dtype)
    return const(bits, value.dtype) - cast_expr(value.dtype, function("clz")(value - 1))


@overload
def cast(x: Tensor, dtype: str, span: Span | None = None) -> Tensor: ...
@overload
def cast(x: Operand, dtype: str, span: Span | None = None) -> Expr: ...
def cast(x: Elements, dtype: str, span: Span | None = None) -> Tensor | Expr:
    """Return numpy.ndarray.astype: each element, or one expression, converted."""
    if isinstance(x, Tensor):
        return compute(x.shape, lambda *i: cast_expr(dtype, x(*i)), tag=ELEMWISE)
    return cast_expr(dtype, x)


def reinterpret(x: Tensor, dtype: str) -> Tensor:
    """Return numpy.ndarray.view: the bits of each element as another dtype of the same size."""
    return define(x.shape, lambda *i: function("reinterpret")(dtype, x(*i)), "tensor", ELEMWISE)


def clip(x: Tensor, a_min: Operand, a_max: Operand) -> Tensor:
    """Return numpy.clip."""

    def value(*i: Expr) -> Expr:
        element = x(*i)
        low, high = (cast_expr(element.dtype, as_expr(bound, element.dtype)) for bound in (a_min, a_max))
        return function("max")(function("min")(element, high), low)

    return compute(x.shape, value, tag=ELEMWISE)


def elemwise_sum(xs: Sequence[Tensor]) -> Tensor:
    """Return ONNX's Sum: the sum of tensors of one shape."""
    return define(xs[0].shape, lambda *i: sum_of(x(*i) for x in xs), "T_elemwise_sum", ELEMWISE)


def fixed_point_multiply(x: Tensor, multiplier: int, shift: int) -> Tensor:
    """Return each element times `multiplier * 2 ** (shift - 31)`, a Q31 number, rounded to the nearest."""
    scale, bits, places = (const(value, "int32") for value in (multiplier, 31, shift))
    return compute(x.shape, lambda *i: function("q_multiply_shift")(x(*i), scale, bits, places), tag=ELEMWISE)


def fixed_point_multiply_per_axis(
    x: Tensor,
    y: Tensor,
    lshift: Tensor,
    rshift: Tensor,
    is_lshift_required: int,
    is_rshift_required: int,
    axes: Sequence[int],
) -> Tensor:
    """Return `fixed_point_multiply` with a multiplier and shifts for each index of axes."""
    bits = const(31, "int32")
    flags = [const(bool(flag), "bool") for flag in (is_lshift_required, is_rshift_required)]

    def value(*i: Expr) -> Expr:
        place = [i[axis] for axis in axes]
        return function("q_multiply_shift_per_axis")(x(*i), y(*place), lshift(*place), rshift(*place), bits, *flags)

    return compute(x.shape, value)


#: coefficients of polynomials of the square, highest degree first
_ERF: Final = (
    (-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05, -7.34990630326855e-04,
     -2.95459980854025e-03, -1.60960333262415e-02),
    (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03, -1.42647390514189e-02),
)  # fmt: skip
_TANH: Final = (
    (-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08, 1.48572235717979e-05,
     6.37261928875436e-04, 4.89352455891786e-03),
    (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03),
)  # fmt: skip


def _rational(x: Expr, coefficients: tuple[tuple[float, ...], tuple[float, ...]], constant: Constant = const) -> Expr:
    """Return x * p(x * x) / q(x * x)."""
    square = x * x
    above, below = (_horner(square, group, constant) for group in coefficients)
    return Div(x * above, below)


def _horner(x: Expr, coefficients: tuple[float, ...], constant: Constant) -> Expr:
    result = constant(coefficients[0], x.dtype)
    for coefficient in coefficients[1:]:
        result = x * result + constant(coefficient, x.dtype)
    return result


def _fast_erf(x: Expr) -> Expr:
    bounded = function("max")(function("min")(x, const(4, x.dtype)), const(-4, x.dtype))
    return _rational(bounded, _ERF, single)


_fast_erf_of_floats: Final = _named("fast_erf", "an approximation of scipy.special.erf", _fast_erf)
_exact_erf: Final = _named("erf", "scipy.special.erf", function("erf"))


def fast_erf(x: Tensor) -> Tensor:
    """Return an approximation of scipy.special.erf, of other dtypes than float32 and float16 `erf`."""
    return _fast_erf_of_floats(x) if str(x.dtype) in ("float32", "float16") else _exact_erf(x)


def _fast_exp(x: Expr) -> Expr:
    """Return 2 ** n * p(f): n = floor(x / ln 2 + 1/2), f = x - n * ln 2, p of degree 5."""
    dtype = x.dtype
    bounded = function("max")(function("min")(x, single(88.3762626647950, dtype)), single(-88.3762626647949, dtype))
    n = function("floor")(bounded * single(1.44269504088896341, dtype) + const(0.5, dtype))
    f = bounded - n * single(0.6931471805599453, dtype)
    y = single(1.9875691500e-4, dtype)
    for value in (1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        y = y * f + single(value, dtype)
    y = y * f * f + f + const(1, dtype)
    power = function("shift_left")(cast_expr("int32", n + const(127, dtype)), const(23, "int32"))
    return function("max")(function("reinterpret")(dtype, power) * y, x)


def fast_exp(x: Tensor) -> Tensor:
    """Return an approximation of numpy.exp of each element of float32."""
    value: Value = _fast_exp if x.dtype == "float32" else function("exp")
    return define(x.shape, lambda *i: value(x(*i)), "T_fast_exp", ELEMWISE)


def fast_tanh(x: Tensor) -> Tensor:
    """Return an approximation of numpy.tanh of each element of float32."""
    if x.dtype != "float32":
        return define(x.shape, lambda *i: function("tanh")(x(*i)), "T_fast_tanh", ELEMWISE)
    bounded = maximum(const(-9, x.dtype), minimum(const(9, x.dtype), x))
    return define(x.shape, lambda *i: _rational(bounded(*i), _TANH), "T_fast_tanh", ELEMWISE)
