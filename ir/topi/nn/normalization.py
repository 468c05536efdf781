"""Normalisations: batch, layer, group, instance, RMS and local response norms; the loss of log-likelihoods."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import FLOAT32, DType
from tvmscript.ir.te import reduction as reducers
from tvmscript.ir.te.construct import reduce_axis
from tvmscript.ir.te.reduction import comm_reducer
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import NE, Expr, Select, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi import reduction
from tvmscript.ir.topi.broadcast import add, divide, maximum, multiply, subtract
from tvmscript.ir.topi.common import (
    BROADCAST,
    COMM_REDUCE,
    ELEMWISE,
    INJECTIVE,
    Extents,
    as_int,
    as_list,
    define,
    define_several,
    function,
    known_int,
    normalize_axes,
    normalize_axis,
    product,
    simplify,
    single,
)
from tvmscript.ir.topi.elementwise import sqrt
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad_before_after
from tvmscript.ir.topi.shape import reshape

#: the sum of values, and that of their squares
_MOMENTS: Final = comm_reducer(
    lambda x, y: (x[0] + y[0], x[1] + y[1]), lambda a, b: (const(0, a), const(0, b)), "moments"
)


def _moments(data: Tensor, axes: list[int], dtype: str, name: str) -> tuple[Tensor, ...]:
    """Return the sums of elements and of their squares over axes."""
    over = reduction.axes_over(data, axes)

    def value(*i: Expr) -> tuple[Expr, ...]:
        element = cast_expr(dtype, data(*reduction.indices_over(data.ndim, over, i)))
        return _MOMENTS((element, element * element), axis=list(over.values()))

    shape = [extent for n, extent in enumerate(data.shape) if n not in over]
    return define_several(shape, value, f"{name}_red_temp", COMM_REDUCE)


def _count(data: Tensor, axes: list[int], dtype: str) -> Expr:
    count = const(1, dtype)
    for axis in axes:
        count = function("multiply")(count, function("cast")(data.shape[axis], dtype))
    return count


def _normalized(
    data: Tensor,
    axes: list[int],
    parameters: list[int],
    gamma: Tensor | None,
    beta: Tensor | None,
    epsilon: float,
    name: str,
    source: str = "",
    result_dtype: DType | None = None,
) -> Tensor:
    """Return (data - mean) / sqrt(variance + epsilon) * gamma + beta, with gamma and beta for some dimensions."""
    dtype = FLOAT32 if data.dtype == "float16" else data.dtype
    sums = _moments(data, axes, dtype, source or data.op.name)
    count = _count(data, axes, dtype)

    def value(*i: Expr) -> Expr:
        outer = [i[n] for n in range(data.ndim) if n not in axes]
        inner = [i[n] for n in parameters]
        mean = sums[0](*outer) / count
        variance = sums[1](*outer) / count - mean * mean
        element = cast_expr(dtype, data(*i))
        result = (element - mean) * function("rsqrt")(variance + const(epsilon, dtype))
        result = cast_expr(result_dtype or data.dtype, result)
        if gamma is not None:
            result = result * gamma(*inner)
        return result if beta is None else result + beta(*inner)

    return define(data.shape, value, name)


def layer_norm(data: Tensor, gamma: Tensor | None, beta: Tensor | None, axis: Extents, epsilon: float = 1e-5) -> Tensor:
    """Return ONNX's LayerNormalization over axes; halves are summed as float32."""
    axes = normalize_axes(as_list(axis), data.ndim, "nn.layer_norm")
    return _normalized(data, axes, _places(data, axis), gamma, beta, epsilon, "T_layer_norm")


def instance_norm(
    data: Tensor, gamma: Tensor | None, beta: Tensor | None, axis: Extents, epsilon: float = 1e-5
) -> Tensor:
    """Return ONNX's InstanceNormalization: gamma and beta have the axes, as in TVM, or the channels, dimension 1."""
    axes = normalize_axes(as_list(axis), data.ndim, "nn.instance_norm")
    if gamma is None or gamma.ndim != len(axes):
        return instance_norm_of_channels(data, gamma, beta, axes, epsilon)
    return _normalized(data, axes, _places(data, axis), gamma, beta, epsilon, "T_instance_norm")


def instance_norm_of_channels(
    data: Tensor, gamma: Tensor | None, beta: Tensor | None, axis: Extents, epsilon: float
) -> Tensor:
    """Return ONNX's InstanceNormalization, with gamma and beta for the channels, dimension 1."""
    axes = normalize_axes(as_list(axis), data.ndim, "nn.instance_norm")
    return _normalized(data, axes, [1], gamma, beta, epsilon, "T_instance_norm")


def group_norm(
    data: Tensor,
    gamma: Tensor | None,
    beta: Tensor | None,
    num_groups: int,
    channel_axis: int,
    axes: Extents,
    epsilon: float = 1e-5,
) -> Tensor:
    """Return ONNX's GroupNormalization: channels in groups."""
    channel = normalize_axis(channel_axis, data.ndim, "nn.group_norm")
    channels = data.shape[channel]
    size = known_int(channels)
    if size is not None and size % num_groups:
        raise InvalidOperand(where="nn.group_norm", reason=f"{size} channels are not {num_groups} equal groups")
    group_size = simplify(function("floordiv")(channels, num_groups))
    grouped = reshape(data, [*data.shape[:channel], num_groups, group_size, *data.shape[channel + 1 :]])
    over = [channel + 1, *[axis if axis < channel else axis + 1 for axis in normalize_axes(axes, data.ndim, "nn")]]
    parameters = [None if tensor is None else reshape(tensor, [num_groups, group_size]) for tensor in (gamma, beta)]
    places = [channel, channel + 1]
    name = "T_group_norm"
    values = _cast(grouped, FLOAT32) if data.dtype == "float16" else grouped
    options = (parameters[0], parameters[1], epsilon, name, data.op.name, data.dtype)
    return reshape(_normalized(values, sorted(over), places, *options), data.shape)


def rms_norm(data: Tensor, weight: Tensor, axis: Extents, epsilon: float = 1e-5) -> Tensor:
    """Return ONNX's RMSNormalization, computed as float32."""
    axes = normalize_axes(as_list(axis), data.ndim, "nn.rms_norm")
    values = _cast(data, FLOAT32)
    total = reduction.sum(multiply(values, values), axes)
    count = _count(data, axes, FLOAT32)
    small = const(epsilon, data.dtype if data.dtype == "float64" else FLOAT32)
    scale = define(total.shape, lambda *i: function("rsqrt")(total(*i) / count + small), "rsqrt", INJECTIVE)
    weights = _cast(weight, FLOAT32)

    def value(*i: Expr) -> Expr:
        outer = [i[n] for n in range(data.ndim) if n not in axes]
        return scale(*outer) * values(*i) * weights(*[i[n] for n in _places(data, axis)])

    return _cast(define(data.shape, value, "T_rms_norm"), data.dtype)


def _places(data: Tensor, axes: Extents) -> list[int]:
    """Return axes in the order in which the weights have them."""
    return [normalize_axis(axis, data.ndim, "nn") for axis in as_list(axes)]


def _cast(x: Tensor, dtype: str) -> Tensor:
    return define(x.shape, lambda *i: cast_expr(dtype, x(*i)), "T_cast", ELEMWISE)


def batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    axis: int | None = None,
    epsilon: float | None = None,
    center: bool | None = None,
    scale: bool | None = None,
    training: bool | None = None,
    momentum: float | None = None,
) -> list[Tensor]:
    """Return ONNX's BatchNormalization and the new moving mean and variance."""
    channel = normalize_axis(1 if axis is None else axis, data.ndim, "nn.batch_norm")
    eps = 1e-5 if epsilon is None else epsilon
    shape = [data.shape[n] if n == channel else 1 for n in range(data.ndim)]
    others = [n for n in range(data.ndim) if n != channel]

    def squares(mean: Tensor) -> Tensor:
        return multiply(subtract(data, mean), subtract(data, mean))

    mean = moving_mean
    if training:
        count = product([data.shape[n] for n in others])
        mean = divide(reduction.sum(data, others), count)
        spread_mean = reshape(mean, shape)
        centered = subtract(data, spread_mean)
        variance = divide(reduction.sum(squares(spread_mean), others), count)
        spread_variance = reshape(variance, shape)
    else:
        spread_mean = reshape(moving_mean, shape)
        centered = subtract(data, spread_mean)
        spread_variance = reshape(moving_var, shape)
    result = divide(centered, sqrt(add(spread_variance, eps)))
    if scale is None or scale:
        result = multiply(result, reshape(gamma, shape))
    if center is None or center:
        result = add(result, reshape(beta, shape))
    if not training:
        return [result, multiply(moving_mean, 1.0), multiply(moving_var, 1.0)]
    rate = 0.1 if momentum is None else momentum
    count = product([data.shape[n] for n in others])
    new_variance = divide(reduction.sum(squares(spread_mean), others), count)
    return [
        result,
        add(multiply(1 - rate, moving_mean), multiply(rate, mean)),
        add(multiply(1 - rate, moving_var), multiply(rate, new_variance)),
    ]


def lrn(data: Tensor, size: int, axis: int = 1, alpha: float = 0.0001, beta: float = 0.75, bias: float = 2) -> Tensor:
    """Return ONNX's LRN: elements by a power of the sum of squares of their neighbours along an axis."""
    place = normalize_axis(axis, data.ndim, "nn.lrn")
    width = as_int(size, "nn.lrn")
    around = [width // 2 if n == place else 0 for n in range(data.ndim)]
    padded = pad_before_after(data, around, around, const(0, data.dtype), "pad_data")
    k = reduce_axis((0, width), "rxs")

    def square_sum(*i: Expr) -> Expr:
        element = padded(*i[:place], i[place] + k.var, *i[place + 1 :])
        return reducers.sum(element * element, axis=k)

    sums = define(data.shape, square_sum, "tensor", "")
    offset, scale, power = (single(number, data.dtype) for number in (bias, alpha, beta))
    powers = define(
        data.shape, lambda *i: function("power")(offset + scale * sums(*i) / width, power), "tensor", ELEMWISE
    )
    return divide(data, powers)


def l2_normalize(data: Tensor, eps: float, axis: Extents | None = None) -> Tensor:
    """Return ONNX's LpNormalization with p = 2; the sum of squares is at least `eps`."""
    axes = normalize_axes(axis, data.ndim, "nn.l2_normalize")
    squares = reduction.reduce_over(multiply(data, data), axes, reducers.sum, keepdims=True)
    return divide(data, sqrt(maximum(squares, const(eps, data.dtype))))


def nll_loss(predictions: Tensor, targets: Tensor, weights: Tensor, reduction_kind: str, ignore_index: int) -> Tensor:
    """Return ONNX's NegativeLogLikelihoodLoss; the reduction is "none", "sum" or "mean"."""

    def weight(i: tuple[Expr, ...]) -> tuple[Expr, Expr]:
        target = targets(*i)
        return target, NE(target, const(ignore_index, target.dtype))

    def loss(*i: Expr) -> Expr:
        target, counts = weight(i)
        place = (i[0], target, *i[1:]) if targets.ndim else (target,)
        value = const(0, predictions.dtype) - predictions(*place)
        return Select(counts, value * weights(target), const(0, predictions.dtype))

    def used(*i: Expr) -> Expr:
        target, counts = weight(i)
        return Select(counts, weights(target), const(0, predictions.dtype))

    losses = define(targets.shape, loss, "nll_loss", BROADCAST)
    if reduction_kind == "none":
        return losses
    if reduction_kind == "sum":
        return reduction.sum(losses)
    if reduction_kind != "mean":
        raise InvalidOperand(where="nn.nll_loss", reason=f'{reduction_kind!r} is none of "none", "sum", "mean"')
    total = define(targets.shape, used, "nll_loss", BROADCAST)
    return divide(reduction.sum(losses), reduction.sum(total))
