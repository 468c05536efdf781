"""Normalization layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.reduction import norm_of
from tvmscript.frontend.torch.registry import converts, lifts_scalars
from tvmscript.frontend.torch.values import Size, product
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, create, statistical, unary
from tvmscript.ir.relax.op.nn import norm, pool

Parameter = RelaxExpr | None


def _or_filled(ctx: Context, x: RelaxExpr, parameter: Parameter, extents: Sequence[Size], value: int) -> RelaxExpr:
    """Return a parameter, or equal numbers where the layer has none."""
    if parameter is not None:
        return parameter
    dtype = ctx.dtype(x)
    sizes = [extent for extent in extents if isinstance(extent, int)]
    if len(sizes) == len(extents):
        return ctx.constant(np.full(sizes, value), dtype)
    return ctx.call(create.full, ctx.sizes(extents), ctx.constant(value, dtype), dtype)


def _scale_and_shift(
    ctx: Context, x: RelaxExpr, weight: Parameter, bias: Parameter, extents: Sequence[Size]
) -> tuple[RelaxExpr, RelaxExpr]:
    return _or_filled(ctx, x, weight, extents, 1), _or_filled(ctx, x, bias, extents, 0)


def batch_norm(
    ctx: Context,
    x: RelaxExpr,
    running_mean: Parameter,
    running_var: Parameter,
    weight: Parameter = None,
    bias: Parameter = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> RelaxExpr:
    """Emit the normalization of channels, by the statistics of the batch in training and where there are no others."""
    channels = [ctx.shape(x)[1]]
    gamma, beta = _scale_and_shift(ctx, x, weight, bias, channels)
    if training or running_mean is None or running_var is None:
        axes = [0, *range(2, ctx.ndim(x))]
        return ctx.call(norm.instance_norm, x, gamma, beta, channel_axis=1, axes=axes, epsilon=eps)
    results = ctx.call(
        norm.batch_norm,
        x,
        gamma,
        beta,
        running_mean,
        running_var,
        axis=1,
        epsilon=eps,
        center=bias is not None,
        scale=weight is not None,
        momentum=momentum,
        training=False,
    )
    return ctx.item(results, 0)


@converts("batch_norm")
def _batch_norm(
    ctx: Context,
    x: RelaxExpr,
    weight: Parameter,
    bias: Parameter,
    running_mean: Parameter,
    running_var: Parameter,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    cudnn_enabled: bool = False,
) -> RelaxExpr:
    return batch_norm(ctx, x, running_mean, running_var, weight, bias, training, momentum, eps)


@converts("functional.batch_norm")
def _functional_batch_norm(
    ctx: Context,
    x: RelaxExpr,
    running_mean: Parameter,
    running_var: Parameter,
    weight: Parameter = None,
    bias: Parameter = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> RelaxExpr:
    return batch_norm(ctx, x, running_mean, running_var, weight, bias, training, momentum, eps)


@converts("_native_batch_norm_legit_no_training")
def _of_running_statistics(
    ctx: Context,
    x: RelaxExpr,
    weight: Parameter,
    bias: Parameter,
    running_mean: Parameter,
    running_var: Parameter,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[object, ...]:
    return batch_norm(ctx, x, running_mean, running_var, weight, bias, False, momentum, eps), None, None


@converts("_native_batch_norm_legit.no_stats")
def _without_statistics(
    ctx: Context,
    x: RelaxExpr,
    weight: Parameter,
    bias: Parameter,
    training: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[object, ...]:
    return batch_norm(ctx, x, None, None, weight, bias, True, momentum, eps), None, None


@converts("_native_batch_norm_legit", "_native_batch_norm_legit_functional", "native_batch_norm")
def _native_batch_norm(
    ctx: Context,
    x: RelaxExpr,
    weight: Parameter,
    bias: Parameter,
    running_mean: Parameter,
    running_var: Parameter,
    training: bool,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[object, ...]:
    result = batch_norm(ctx, x, running_mean, running_var, weight, bias, training, momentum, eps)
    if not training or running_mean is None or running_var is None:
        return result, None, None, running_mean, running_var
    axes = [0, *range(2, ctx.ndim(x))]
    mean = ctx.call(statistical.mean, x, axes)
    variance = ctx.call(statistical.variance, x, axes)
    count = ctx.static(product([ctx.shape(x)[axis] for axis in axes]), "the size of the batch")
    unbiased = ctx.scaled(variance, count / max(count - 1, 1))
    new_mean = ctx.emit(ctx.scaled(running_mean, 1 - momentum) + ctx.scaled(mean, momentum))
    new_var = ctx.emit(ctx.scaled(running_var, 1 - momentum) + ctx.scaled(unbiased, momentum))
    inverse = ctx.call(unary.rsqrt, variance + ctx.constant(eps, ctx.dtype(x)))
    return result, mean, inverse, new_mean, new_var


@converts("layer_norm")
def layer_norm(
    ctx: Context,
    x: RelaxExpr,
    normalized_shape: Sequence[Size],
    weight: Parameter = None,
    bias: Parameter = None,
    eps: float = 1e-5,
    cudnn_enable: bool = False,
) -> RelaxExpr:
    """Emit the normalization over the last axes."""
    gamma, beta = _scale_and_shift(ctx, x, weight, bias, normalized_shape)
    axes = list(range(-len(normalized_shape), 0))
    return ctx.call(norm.layer_norm, x, gamma, beta, axes=axes, epsilon=eps)


@converts("native_layer_norm")
def _native_layer_norm(
    ctx: Context,
    x: RelaxExpr,
    normalized_shape: Sequence[Size],
    weight: Parameter = None,
    bias: Parameter = None,
    eps: float = 1e-5,
) -> tuple[object, ...]:
    return layer_norm(ctx, x, normalized_shape, weight, bias, eps), None, None


@converts("rms_norm", "_fused_rms_norm")
def rms_norm(
    ctx: Context, x: RelaxExpr, normalized_shape: Sequence[Size], weight: Parameter = None, eps: float | None = None
) -> RelaxExpr:
    """Emit the division by the root of the mean square over the last axes."""
    epsilon = float(np.finfo(ctx.dtype(x)).eps) if eps is None else eps
    axes = list(range(-len(normalized_shape), 0))
    gamma = _or_filled(ctx, x, weight, normalized_shape, 1)
    return ctx.call(norm.rms_norm, x, gamma, axes=axes, epsilon=epsilon)


@converts("group_norm")
def group_norm(
    ctx: Context,
    x: RelaxExpr,
    num_groups: int,
    weight: Parameter = None,
    bias: Parameter = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> RelaxExpr:
    """Emit the normalization of groups of channels."""
    gamma, beta = _scale_and_shift(ctx, x, weight, bias, [ctx.shape(x)[1]])
    axes = list(range(2, ctx.ndim(x)))
    return ctx.call(norm.group_norm, x, gamma, beta, num_groups=num_groups, channel_axis=1, axes=axes, epsilon=eps)


@converts("native_group_norm")
def _native_group_norm(
    ctx: Context,
    x: RelaxExpr,
    weight: Parameter,
    bias: Parameter,
    n: Size,
    c: Size,
    hxw: Size,
    group: int,
    eps: float,
) -> tuple[object, ...]:
    return group_norm(ctx, x, group, weight, bias, eps), None, None


@converts("instance_norm")
def instance_norm(
    ctx: Context,
    x: RelaxExpr,
    weight: Parameter = None,
    bias: Parameter = None,
    running_mean: Parameter = None,
    running_var: Parameter = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
    cudnn_enabled: bool = False,
) -> RelaxExpr:
    """Emit the normalization of each channel of each element of the batch."""
    if not use_input_stats:
        return batch_norm(ctx, x, running_mean, running_var, weight, bias, False, momentum, eps)
    gamma, beta = _scale_and_shift(ctx, x, weight, bias, [ctx.shape(x)[1]])
    axes = list(range(2, ctx.ndim(x)))
    return ctx.call(norm.instance_norm, x, gamma, beta, channel_axis=1, axes=axes, epsilon=eps)


@converts("functional.instance_norm")
def _functional_instance_norm(
    ctx: Context,
    x: RelaxExpr,
    running_mean: Parameter = None,
    running_var: Parameter = None,
    weight: Parameter = None,
    bias: Parameter = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> RelaxExpr:
    return instance_norm(ctx, x, weight, bias, running_mean, running_var, use_input_stats, momentum, eps)


@converts("local_response_norm")
def _local_response_norm(
    ctx: Context, x: RelaxExpr, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> RelaxExpr:
    batch, channels, *rest = ctx.shape(x)
    squares = ctx.reshape(ctx.emit(x * x), [batch, 1, channels, product(rest)])
    means = ctx.call(
        pool.avg_pool2d,
        squares,
        [size, 1],
        [1, 1],
        [size // 2, 0, (size - 1) // 2, 0],
        count_include_pad=True,
    )
    base = ctx.binary(binary.add, ctx.scaled(ctx.reshape(means, ctx.shape(x)), alpha), k)
    return ctx.emit(x / ctx.binary(binary.power, base, beta))


@converts("normalize")
@lifts_scalars
def _normalize(ctx: Context, x: RelaxExpr, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> RelaxExpr:
    size = norm_of(ctx, x, p, dim, keepdim=True)
    return ctx.emit(x / ctx.binary(binary.maximum, size, eps))


@converts("_weight_norm", "_weight_norm_interface")
def _weight_norm(ctx: Context, v: RelaxExpr, g: RelaxExpr, dim: int = 0) -> RelaxExpr:
    axes = [axis for axis in range(ctx.ndim(v)) if axis != dim]
    size = ctx.call(unary.sqrt, ctx.call(statistical.sum, v * v, axes, keepdims=True))
    return ctx.emit(v * (g / size))
