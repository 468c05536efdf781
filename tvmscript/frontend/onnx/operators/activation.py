"""Activation functions."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import MICROSOFT, elementwise, operator
from tvmscript.frontend.onnx.values import dtype_of, product, rank_of, scalar, shape_expr, sizes_of
from tvmscript.frontend.rounding import round_once
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def softplus_of(x: RelaxExpr) -> RelaxExpr:
    """Return log(1 + exp(x)) where exp(x) may overflow."""
    return R.add(R.nn.relu(x), R.log(R.add(R.exp(R.negative(R.abs(x))), scalar(1.0, x))))


elementwise("Softplus", softplus_of)
elementwise("Softsign", lambda x: R.divide(x, R.add(scalar(1.0, x), R.abs(x))))
elementwise("HardSwish", lambda x: R.multiply(x, hard_sigmoid_of(x, 1 / 6, 0.5)))
elementwise("Gelu", R.nn.gelu, domain=MICROSOFT)


@operator("Mish")
def mish(context: Context, node: Node) -> RelaxExpr:
    """Return x * tanh(softplus(x))."""
    x = node.tensor(0)
    return R.multiply(x, R.tanh(softplus_of(x)))


@operator("Elu")
def elu(context: Context, node: Node) -> RelaxExpr:
    """Return x where it is positive, else alpha * (exp(x) - 1)."""
    alpha = node.number("alpha", 1.0)
    return round_once(lambda x: _elu(x, alpha), node.tensor(0))


def _elu(x: RelaxExpr, alpha: float) -> RelaxExpr:
    one = scalar(1.0, x)
    return R.add(
        R.multiply(scalar(-alpha, x), R.nn.relu(R.subtract(one, R.exp(x)))),
        R.nn.relu(x),
    )


@operator("Selu")
def selu(context: Context, node: Node) -> RelaxExpr:
    """Return gamma * elu(x)."""
    alpha, gamma = node.number("alpha", 1.6732632), node.number("gamma", 1.0507009)
    return round_once(lambda x: R.multiply(scalar(gamma, x), _elu(x, alpha)), node.tensor(0))


@operator("Celu")
def celu(context: Context, node: Node) -> RelaxExpr:
    """Return max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    alpha = node.number("alpha", 1.0)
    return round_once(lambda x: _celu(x, alpha), node.tensor(0))


def _celu(x: RelaxExpr, alpha: float) -> RelaxExpr:
    negative = R.multiply(scalar(alpha, x), R.subtract(R.exp(R.divide(x, scalar(alpha, x))), scalar(1.0, x)))
    return R.add(R.nn.relu(x), R.minimum(negative, scalar(0.0, x)))


@operator("LeakyRelu")
def leaky_relu(context: Context, node: Node) -> RelaxExpr:
    """Return x where it is positive, else alpha * x."""
    return R.nn.leakyrelu(node.tensor(0), node.number("alpha", 0.01))


@operator("PRelu")
def prelu(context: Context, node: Node) -> RelaxExpr:
    """Return x where it is positive, else slope * x."""
    x, slope = node.tensor(0), node.tensor(1)
    if node.version < 7 and rank_of(slope) == 1 and rank_of(x) > 2:
        slope = R.reshape(slope, shape_expr([*sizes_of(slope), *[1] * (rank_of(x) - 2)]))
    return R.where(R.less(x, scalar(0.0, x)), R.multiply(slope, x), x)


@operator("ThresholdedRelu")
def thresholded_relu(context: Context, node: Node) -> RelaxExpr:
    """Return x where it is larger than alpha, else 0."""
    x = node.tensor(0)
    return R.where(R.greater(x, scalar(node.number("alpha", 1.0), x)), x, scalar(0.0, x))


@operator("Shrink")
def shrink(context: Context, node: Node) -> RelaxExpr:
    """Return x moved towards zero by a bias where it is beyond lambda, else 0."""
    x, bias, bound = node.tensor(0), node.number("bias", 0.0), node.number("lambd", 0.5)
    moved = R.where(R.less(x, scalar(-bound, x)), R.add(x, scalar(bias, x)), scalar(0.0, x))
    return R.where(R.greater(x, scalar(bound, x)), R.subtract(x, scalar(bias, x)), moved)


@operator("HardSigmoid")
def hard_sigmoid(context: Context, node: Node) -> RelaxExpr:
    """Return alpha * x + beta between 0 and 1."""
    return hard_sigmoid_of(node.tensor(0), node.number("alpha", 0.2), node.number("beta", 0.5))


def hard_sigmoid_of(x: RelaxExpr, alpha: float, beta: float) -> RelaxExpr:
    line = R.add(R.multiply(x, scalar(alpha, x)), scalar(beta, x))
    return R.clip(line, 0, 1)


@operator("Gelu", 20)
def gelu(context: Context, node: Node) -> RelaxExpr:
    """Return the Gaussian error linear unit, exact or by tanh."""
    x = node.tensor(0)
    return R.nn.gelu_tanh(x) if node.text("approximate", "none") == "tanh" else R.nn.gelu(x)


@operator("FastGelu", domain=MICROSOFT)
@operator("BiasGelu", domain=MICROSOFT)
def bias_gelu(context: Context, node: Node) -> RelaxExpr:
    """Return gelu of x and a bias."""
    x = R.add(node.tensor(0), node.tensor(1)) if node.has(1) else node.tensor(0)
    return R.nn.gelu_tanh(x) if node.op_type == "FastGelu" else R.nn.gelu(x)


# ---- along an axis


def _over_rows(context: Context, node: Node, function: Any) -> RelaxExpr:
    """Apply a function to rows: the old operators see a matrix, split at an axis."""
    x = node.tensor(0)
    sizes, axis = sizes_of(x), node.axis(node.integer("axis", 1), rank_of(x))
    matrix = R.reshape(x, shape_expr([product(sizes[:axis]), product(sizes[axis:])]))
    return R.reshape(function(matrix, -1), shape_expr(sizes))


@operator("Softmax", 1)
@operator("LogSoftmax", 1)
def softmax_of_matrix(context: Context, node: Node) -> RelaxExpr:
    """Return the softmax over all axes from one on."""
    return _over_rows(context, node, _log_softmax if node.op_type == "LogSoftmax" else _softmax)


@operator("Softmax", 13)
def softmax(context: Context, node: Node) -> RelaxExpr:
    """Return the softmax over an axis."""
    return _softmax(node.tensor(0), node.integer("axis", -1))


def _softmax(x: RelaxExpr, axis: int) -> RelaxExpr:
    return round_once(lambda x: R.nn.softmax(x, axis), x)


@operator("LogSoftmax", 13)
def log_softmax(context: Context, node: Node) -> RelaxExpr:
    """Return the logarithm of softmax over an axis."""
    return _log_softmax(node.tensor(0), node.integer("axis", -1))


def _log_softmax(x: RelaxExpr, axis: int) -> RelaxExpr:
    return round_once(lambda x: R.nn.log_softmax(x, axis), x)


@operator("Hardmax", 1)
def hardmax_of_matrix(context: Context, node: Node) -> RelaxExpr:
    """Return 1 at the first largest element of all axes from one on, else 0."""
    return _over_rows(context, node, _hardmax)


@operator("Hardmax", 13)
def hardmax(context: Context, node: Node) -> RelaxExpr:
    """Return 1 at the first largest element of an axis, else 0."""
    return _hardmax(node.tensor(0), node.integer("axis", -1))


def _hardmax(x: RelaxExpr, axis: int) -> RelaxExpr:
    depth = sizes_of(x)[axis]
    place = axis if axis >= 0 else rank_of(x) + axis
    largest = R.expand_dims(R.argmax(x, axis=axis), place)
    positions = R.arange(0, depth, 1, dtype="int64")
    ahead = R.reshape(positions, shape_expr([depth, *[1] * (rank_of(x) - 1 - place)]))
    return R.astype(R.equal(ahead, largest), dtype_of(x))
