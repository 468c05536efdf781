"""Normalization over batches, channels, layers."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.topi.nn.normalization import lrn
from tvmscript.language import R


def _channels(vector: RelaxExpr, rank: int) -> RelaxExpr:
    """Return a vector of channels that broadcasts with a tensor of this rank."""
    return R.reshape(vector, shape_expr([*sizes_of(vector), *[1] * (rank - 2)]))


@operator("BatchNormalization")
@operator("SpatialBN")
def batch_norm(context: Context, node: Node) -> Any:
    """Return the data normalized by statistics of the past, in training by its own, which update those."""
    x, scale, bias, mean, variance = (node.tensor(index) for index in range(5))
    epsilon = node.number("epsilon", 1e-5)
    if node.version >= 14 and node.integer("training_mode", 0):
        return _training(context, node, epsilon)
    if not node.integer("spatial", 1):
        return R.add(R.multiply(R.divide(R.subtract(x, mean), R.sqrt(R.add(variance, scalar(epsilon, variance)))),
                                scale), bias)  # fmt: skip
    if dtype_of(scale) != dtype_of(x):
        scale, bias, mean, variance = (R.astype(part, dtype_of(x)) for part in (scale, bias, mean, variance))
    result = R.nn.batch_norm(x, scale, bias, mean, variance, axis=1, epsilon=epsilon, training=False)
    return context.builder.emit(result)[0]


def _training(context: Context, node: Node, epsilon: float) -> list[RelaxExpr]:
    x, scale, bias, mean, variance = (node.tensor(index) for index in range(5))
    axes = [0, *range(2, rank_of(x))]
    own = [context.emit(function(x, axes)) for function in (R.mean, R.variance)]
    momentum = node.number("momentum", 0.9)
    updated = [
        R.add(
            R.multiply(old, scalar(momentum, old)), R.multiply(R.astype(new, dtype_of(old)), scalar(1 - momentum, old))
        )
        for old, new in zip((mean, variance), own, strict=True)
    ]
    rank = rank_of(x)
    spread = R.sqrt(R.add(_channels(own[1], rank), scalar(epsilon, x)))
    normal = R.divide(R.subtract(x, _channels(own[0], rank)), spread)
    return [R.add(R.multiply(normal, _channels(scale, rank)), _channels(bias, rank)), *updated]


@operator("InstanceNormalization")
def instance_norm(context: Context, node: Node) -> RelaxExpr:
    """Return each channel of each image normalized."""
    x, scale, bias = (node.tensor(index) for index in range(3))
    axes, epsilon, rank = list(range(2, rank_of(x))), node.number("epsilon", 1e-5), rank_of(x)
    normal = _normalized(context, x, axes, epsilon)
    return R.add(R.multiply(normal, _channels(scale, rank)), _channels(bias, rank))


def _normalized(context: Context, x: RelaxExpr, axes: list[int], epsilon: float) -> RelaxExpr:
    mean, variance = R.mean(x, axes, True), R.variance(x, axes, True)
    return R.divide(R.subtract(x, mean), R.sqrt(R.add(variance, scalar(epsilon, x))))


@operator("LayerNormalization")
def layer_norm(context: Context, node: Node) -> Any:
    """Return rows normalized, their means and the inverses of their deviations."""
    x, scale, bias = node.tensor(0), node.tensor(1), node.optional(2)
    rank = rank_of(x)
    axes = list(range(node.axis(node.integer("axis", -1), rank), rank))
    epsilon = node.number("epsilon", 1e-5)
    if bias is None:
        bias = R.zeros(shape_expr(sizes_of(scale)), dtype_of(scale))
    if rank_of(scale) == len(axes):
        result = R.nn.layer_norm(x, scale, bias, axes=[axis - rank for axis in axes], epsilon=epsilon)
    else:
        result = R.add(R.multiply(_normalized(context, x, axes, epsilon), scale), bias)
    if len(node.output_names) == 1:
        return result
    mean = context.emit(R.mean(x, axes, True))
    inverse = R.rsqrt(R.add(R.variance(x, axes, True), scalar(epsilon, x)))
    return [result, mean, inverse]


@operator("RMSNormalization")
def rms_norm(context: Context, node: Node) -> RelaxExpr:
    """Return rows divided by the root of their mean square."""
    x, scale = node.tensor(0), node.tensor(1)
    rank = rank_of(x)
    axes = list(range(node.axis(node.integer("axis", -1), rank), rank))
    epsilon = node.number("epsilon", 1e-5)
    if rank_of(scale) == len(axes) and dtype_of(scale) == dtype_of(x):
        return R.nn.rms_norm(x, scale, axes=[axis - rank for axis in axes], epsilon=epsilon)
    mean = R.mean(R.multiply(x, x), axes, True)
    return R.multiply(R.divide(x, R.sqrt(R.add(mean, scalar(epsilon, x)))), scale)


@operator("GroupNormalization", 18)
def group_norm_of_groups(context: Context, node: Node) -> RelaxExpr:
    """Return groups of channels normalized; scale and bias are those of groups."""
    x, groups = node.tensor(0), node.integer("num_groups")
    repeats = sizes_of(x)[1] // groups
    scale, bias = (R.repeat(node.tensor(index), int(repeats), 0) for index in (1, 2))
    return _group_norm(node, x, scale, bias, groups)


@operator("GroupNormalization", 21)
def group_norm(context: Context, node: Node) -> RelaxExpr:
    """Return groups of channels normalized; scale and bias are those of channels."""
    return _group_norm(node, node.tensor(0), node.tensor(1), node.tensor(2), node.integer("num_groups"))


def _group_norm(node: Node, x: RelaxExpr, scale: RelaxExpr, bias: RelaxExpr, groups: int) -> RelaxExpr:
    axes = list(range(2, rank_of(x)))
    epsilon = node.number("epsilon", 1e-5)
    return R.nn.group_norm(x, scale, bias, num_groups=groups, channel_axis=1, axes=axes, epsilon=epsilon)


@operator("LRN")
def local_response_norm(context: Context, node: Node) -> RelaxExpr:
    """Return the data divided by a power of the sums of squares of channels around."""
    size, alpha = node.integer("size"), node.number("alpha", 1e-4)
    beta, bias = node.number("beta", 0.75), node.number("bias", 1.0)
    return context.emit_te(lrn, node.tensor(0), size, 1, alpha, beta, bias)


@operator("LpNormalization")
def lp_norm(context: Context, node: Node) -> RelaxExpr:
    """Return rows divided by their 1-norm or 2-norm."""
    x = node.tensor(0)
    axis, p = node.axis(node.integer("axis", -1), rank_of(x)), node.integer("p", 2)
    norm: RelaxExpr = R.sum(R.abs(x), [axis], True) if p == 1 else R.sqrt(R.sum(R.multiply(x, x), [axis], True))
    norm = context.emit(norm)
    # a row of zeros stays one
    return R.divide(x, R.where(R.equal(norm, scalar(0.0, x)), scalar(1.0, x), norm))


@operator("MeanVarianceNormalization")
def mean_variance_norm(context: Context, node: Node) -> RelaxExpr:
    """Return the data with mean 0 and variance 1 over axes."""
    x = node.tensor(0)
    axes = node.integers("axes", [0, 2, 3])
    mean = context.emit(R.mean(x, axes, True))
    square = R.mean(R.multiply(x, x), axes, True)
    deviation = R.sqrt(R.subtract(square, R.multiply(mean, mean)))
    return R.divide(R.subtract(x, mean), R.add(deviation, scalar(1e-9, x)))
