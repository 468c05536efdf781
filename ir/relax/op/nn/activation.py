"""Activation functions and dropout."""

from __future__ import annotations

import math
from types import ModuleType

from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.axis_mapping import map_softmax_axes
from tvmscript.ir.relax.op.shape_rules import expect_tensor, infer_same, infer_same_float, normalize_axis
from tvmscript.ir.relax.operator import Array, Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo


def _infer_along_axis(call: Call) -> TensorStructInfo:
    info = infer_same_float(call)
    normalize_axis(call, "axis", call.attrs["axis"], info.ndim)
    return info


def _infer_pair(call: Call) -> TupleStructInfo:
    info = expect_tensor(call)
    return TupleStructInfo((info, info))


def _infer_along_known_axis(call: Call) -> TensorStructInfo:
    """Infer the struct info of the data. As in TVM, the slopes may have any shape."""
    info = infer_same_float(call)
    expect_tensor(call, 1)
    normalize_axis(call, "axis", call.attrs["axis"], info.ndim)
    return info


def _compute_prelu(np: ModuleType, x: Array, alpha: Array, axis: int) -> Array:
    slopes = alpha.reshape([-1 if at == axis % x.ndim else 1 for at in range(x.ndim)])
    return np.where(x > 0, x, x * slopes).astype(x.dtype)


#: scale and alpha of `selu` (G. Klambauer et al., "Self-Normalizing Neural Networks", 2017)
_SELU = 1.0507009873554805, 1.6732632423543772


def _compute_selu(np: ModuleType, x: Array) -> Array:
    scale, alpha = _SELU
    return (scale * np.where(x > 0, x, alpha * np.expm1(x))).astype(x.dtype)


def _compute_softplus(np: ModuleType, x: Array, beta: float, threshold: float) -> Array:
    smooth = np.log1p(np.exp(np.minimum(x * beta, threshold))) / beta
    return np.where(x * beta > threshold, x, smooth).astype(x.dtype)


def _erf(np: ModuleType, x: Array) -> Array:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def _compute_softmax(np: ModuleType, x: Array, axis: int) -> Array:
    shifted = np.exp(x - x.max(axis=axis, keepdims=True, initial=-np.inf))
    return shifted / shifted.sum(axis=axis, keepdims=True)


def _compute_log_softmax(np: ModuleType, x: Array, axis: int) -> Array:
    shifted = x - x.max(axis=axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def _differentiate_silu(adjoint: Adjoint) -> tuple[RelaxExpr]:
    """Return gradient * (s + silu * (1 - s)) for s = sigmoid(x)."""
    s = adjoint.emit(apply("sigmoid", adjoint.x))
    return (adjoint.gradient * (s + adjoint.result * (adjoint.scalar(1) - s)),)


def _sum_along_axis(adjoint: Adjoint, value: RelaxExpr) -> RelaxExpr:
    return apply("sum", value, axis=adjoint.call.attrs["axis"], keepdims=True)


relu = Operator(
    "nn.relu",
    "data: Expr",
    infer_same,
    mixed_precision="follow",
    layout="elementwise",
    reference=lambda np, x: np.maximum(x, 0).astype(x.dtype),
    legalize=lambda topi, x: topi.nn.relu(x),
    gradient=lambda a: (apply("where", a.x < a.scalar(0), a.scalar(0), a.gradient),),
    doc="max(x, 0).",
)
leakyrelu = Operator(
    "nn.leakyrelu",
    "data: Expr, alpha: float = 0.01",
    infer_same_float,
    reference=lambda np, x, alpha: np.where(x > 0, x, x * alpha).astype(x.dtype),
    legalize=lambda topi, x, alpha: topi.nn.leaky_relu(x, alpha),
    kernel_name="leaky_relu",
    doc="x where positive, else x * alpha.",
)
prelu = Operator(
    "nn.prelu",
    "data: Expr, alpha: Expr, axis: int = 1",
    _infer_along_known_axis,
    reference=_compute_prelu,
    legalize=lambda topi, x, alpha, axis: topi.nn.prelu(x, alpha, axis),
    doc="x where positive, else x * alpha with one alpha for each index of an axis.",
)
selu = Operator(
    "nn.selu",
    "data: Expr",
    infer_same_float,
    reference=_compute_selu,
    legalize=lambda topi, x: topi.graph.selu(x, *_SELU),
    doc="The scaled exponential linear unit.",
)
softplus = Operator(
    "nn.softplus",
    "data: Expr, beta: float = 1.0, threshold: float = 20.0",
    infer_same_float,
    reference=_compute_softplus,
    legalize=lambda topi, x, beta, threshold: topi.graph.softplus(x, beta, threshold),
    doc="log(1 + exp(beta x)) / beta; x where beta x is above the threshold.",
)
gelu = Operator(
    "nn.gelu",
    "data: Expr",
    infer_same_float,
    mixed_precision="follow",
    layout="elementwise",
    reference=lambda np, x: (x * (1 + _erf(np, x / math.sqrt(2))) / 2).astype(x.dtype),
    legalize=lambda topi, x: topi.graph.gelu(x),
    doc="The Gaussian error linear unit: x times the normal distribution function of x.",
)
gelu_tanh = Operator(
    "nn.gelu_tanh",
    "data: Expr",
    infer_same_float,
    mixed_precision="follow",
    layout="elementwise",
    reference=lambda np, x: (x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2).astype(x.dtype),
    legalize=lambda topi, x: topi.graph.gelu_tanh(x),
    doc="The tanh approximation of `gelu`.",
)
silu = Operator(
    "nn.silu",
    "data: Expr",
    infer_same_float,
    mixed_precision="follow",
    layout="elementwise",
    reference=lambda np, x: (x / (1 + np.exp(-x))).astype(x.dtype),
    legalize=lambda topi, x: topi.multiply(x, topi.sigmoid(x)),
    gradient=_differentiate_silu,
    doc="x * sigmoid(x).",
)
softmax = Operator(
    "nn.softmax",
    "data: Expr, axis: int = -1",
    _infer_along_axis,
    layout="softmax",
    mapped_axes=map_softmax_axes,
    reference=_compute_softmax,
    legalize=lambda topi, x, axis: topi.nn.softmax(x, axis),
    gradient=lambda a: ((a.gradient - _sum_along_axis(a, a.gradient * a.result)) * a.result,),
    doc="The exponentials divided by their sum along an axis.",
)
log_softmax = Operator(
    "nn.log_softmax",
    "data: Expr, axis: int = -1",
    _infer_along_axis,
    reference=_compute_log_softmax,
    legalize=lambda topi, x, axis: topi.nn.log_softmax(x, axis),
    gradient=lambda a: (a.gradient - _sum_along_axis(a, a.gradient) * apply("exp", a.result),),
    doc="The logarithm of `softmax`.",
)
dropout = Operator(
    "nn.dropout",
    "data: Expr, rate: float = 0.5",
    _infer_pair,
    mixed_precision="follow",
    layout="dropout",
    doc="Set random elements to zero; the data and the mask of kept elements.",
)
