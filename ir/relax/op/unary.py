"""Elementwise operators of one tensor."""

from __future__ import annotations

import math
from types import ModuleType

from tvmscript.ir.core import BOOL
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.adjoint import apply
from tvmscript.ir.relax.op.shape_rules import expect_tensor, infer_same, infer_same_float, with_dtype
from tvmscript.ir.relax.operator import Array, Gradient, InferRule, Legalize, Operator, Reference
from tvmscript.ir.relax.struct_info import TensorStructInfo


def _infer_bool(call: Call) -> TensorStructInfo:
    return with_dtype(expect_tensor(call), BOOL)


def round_away(np: ModuleType, x: Array) -> Array:
    """Return the nearest integers, of two the one away from zero: rounding of C, not NumPy's."""
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) < 0.5, whole, whole + np.sign(x)).astype(x.dtype)


def _unary_operator(
    name: str,
    reference: Reference,
    doc: str,
    rule: InferRule = infer_same_float,
    legalize: Legalize | None = None,
    kernel_name: str | None = None,
    gradient: Gradient | None = None,
) -> Operator:
    """Return an operator whose kernel is that of its name in the inventory, unless `legalize` says another one."""
    return Operator(
        name,
        "x: Expr",
        rule,
        mixed_precision="follow",
        layout="elementwise",
        reference=reference,
        legalize=legalize or (lambda topi, x: getattr(topi, name)(x)),
        kernel_name=kernel_name or f"tir_{name}",
        gradient=gradient,
        doc=doc,
    )


# Any number

abs = _unary_operator(
    "abs",
    lambda np, x: np.abs(x),
    "The absolute value.",
    infer_same,
    gradient=lambda a: (a.gradient * apply("where", a.x < a.scalar(0), -a.scalar(1), a.scalar(1)),),
)
bitwise_not = _unary_operator("bitwise_not", lambda np, x: np.invert(x), "Bitwise NOT.", infer_same)
ceil = _unary_operator("ceil", lambda np, x: np.ceil(x), "Ceiling: the smallest integer not below x.", infer_same)
floor = _unary_operator("floor", lambda np, x: np.floor(x), "Floor: the largest integer not above x.", infer_same)
logical_not = _unary_operator(
    "logical_not",
    lambda np, x: np.logical_not(x).astype(x.dtype),
    "Logical NOT: whether x is zero.",
    infer_same,
    lambda topi, x: topi.graph.of_bools(topi.logical_not, x),
)
negative = _unary_operator(
    "negative", lambda np, x: np.negative(x), "Negation, -x.", infer_same, gradient=lambda a: (-a.gradient,)
)
round = _unary_operator("round", round_away, "The nearest integer; halves round away from zero.", infer_same)
sign = _unary_operator("sign", lambda np, x: np.sign(x), "The sign: -1, 0 or 1.", infer_same)
square = _unary_operator(
    "square",
    lambda np, x: np.square(x).astype(x.dtype),
    "The square, x * x.",
    infer_same,
    lambda topi, x: topi.multiply(x, x),
)
trunc = _unary_operator("trunc", lambda np, x: np.trunc(x), "The integer part, rounded towards zero.", infer_same)

# Floats

acos = _unary_operator("acos", lambda np, x: np.arccos(x), "The arc cosine.")
acosh = _unary_operator("acosh", lambda np, x: np.arccosh(x), "The inverse hyperbolic cosine.")
asin = _unary_operator("asin", lambda np, x: np.arcsin(x), "The arc sine.")
asinh = _unary_operator("asinh", lambda np, x: np.arcsinh(x), "The inverse hyperbolic sine.")
atan = _unary_operator("atan", lambda np, x: np.arctan(x), "The arc tangent.")
atanh = _unary_operator("atanh", lambda np, x: np.arctanh(x), "The inverse hyperbolic tangent.")
cos = _unary_operator(
    "cos", lambda np, x: np.cos(x), "The cosine.", gradient=lambda a: (-a.gradient * apply("sin", a.x),)
)
cosh = _unary_operator("cosh", lambda np, x: np.cosh(x), "The hyperbolic cosine.")
erf = _unary_operator(
    "erf",
    lambda np, x: np.vectorize(math.erf, otypes=[np.float64])(x).astype(x.dtype),
    "The error function.",
    legalize=lambda topi, x: topi.graph.erf(x),
    kernel_name="erf",
)
exp = _unary_operator(
    "exp", lambda np, x: np.exp(x), "The exponential function, e ** x.", gradient=lambda a: (a.gradient * a.result,)
)
log = _unary_operator("log", lambda np, x: np.log(x), "The natural logarithm.", gradient=lambda a: (a.gradient / a.x,))
rsqrt = _unary_operator("rsqrt", lambda np, x: np.reciprocal(np.sqrt(x)), "The reciprocal square root, 1 / sqrt(x).")
sigmoid = _unary_operator(
    "sigmoid",
    lambda np, x: np.reciprocal(1 + np.exp(-x)),
    "The logistic sigmoid, 1 / (1 + exp(-x)).",
    gradient=lambda a: (a.gradient * a.result * (a.scalar(1) - a.result),),
)
sin = _unary_operator("sin", lambda np, x: np.sin(x), "The sine.", gradient=lambda a: (a.gradient * apply("cos", a.x),))
sinh = _unary_operator("sinh", lambda np, x: np.sinh(x), "The hyperbolic sine.")
sqrt = _unary_operator(
    "sqrt", lambda np, x: np.sqrt(x), "The square root.", gradient=lambda a: (a.scalar(0.5) * a.gradient / a.result,)
)
tan = _unary_operator("tan", lambda np, x: np.tan(x), "The tangent.")
tanh = _unary_operator(
    "tanh",
    lambda np, x: np.tanh(x),
    "The hyperbolic tangent.",
    gradient=lambda a: (a.gradient * (a.scalar(1) - a.result * a.result),),
)

# Questions

isfinite = _unary_operator(
    "isfinite", lambda np, x: np.isfinite(x), "Whether x is neither infinite nor NaN.", _infer_bool
)
isinf = _unary_operator("isinf", lambda np, x: np.isinf(x), "Whether x is infinite.", _infer_bool)
isnan = _unary_operator("isnan", lambda np, x: np.isnan(x), "Whether x is NaN.", _infer_bool)
