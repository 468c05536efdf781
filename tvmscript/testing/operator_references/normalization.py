"""Normalizations, softmax, losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tvmscript.testing.operator_references.convolution import Array

Axes = int | Sequence[int]


def _axes(axis: Axes, rank: int) -> tuple[int, ...]:
    return tuple(each % rank for each in ((axis,) if isinstance(axis, int) else axis))


def _normalized(x: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    return np.asarray((x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon))


def _along(values: Array, axis: int, rank: int) -> Array:
    """Return a vector that is broadcast along an axis."""
    return values.reshape([-1 if place == axis % rank else 1 for place in range(rank)])


def softmax_python(a_np: Array, axis: int = 1) -> Array:
    powers = np.exp(a_np - a_np.max(axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis, keepdims=True))


def log_softmax_python(a_np: Array, axis: int = 1) -> Array:
    shifted = a_np - a_np.max(axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis, keepdims=True)))


def batch_norm(
    x: Array,
    gamma: Array,
    beta: Array,
    moving_mean: Array,
    moving_var: Array,
    axis: int,
    epsilon: float,
    center: bool,
    scale: bool,
    training: bool,
    momentum: float,
) -> list[Array]:
    """Return the normalized input and both moving statistics; in training those of the input are mixed in."""
    others = tuple(place for place in range(x.ndim) if place != axis % x.ndim)
    mean, var = (x.mean(others), x.var(others)) if training else (moving_mean, moving_var)
    out = (x - _along(mean, axis, x.ndim)) / np.sqrt(_along(var, axis, x.ndim) + epsilon)
    out = out * _along(gamma, axis, x.ndim) if scale else out
    out = out + _along(beta, axis, x.ndim) if center else out
    if training:
        moving_mean = (1 - momentum) * moving_mean + momentum * mean
        moving_var = (1 - momentum) * moving_var + momentum * var
    return [out, moving_mean, moving_var]


def layer_norm_python(data: Array, gamma: Array, beta: Array | None, axis: Axes, epsilon: float = 1e-5) -> Array:
    axes = _axes(axis, data.ndim)
    out = _normalized(data.astype("float32"), axes, epsilon).astype(data.dtype)
    shape = [size if place in axes else 1 for place, size in enumerate(data.shape)]
    out = out * gamma.reshape(shape)
    return out if beta is None else out + beta.reshape(shape)


def instance_norm_python(data: Array, gamma: Array, beta: Array, axis: Axes, epsilon: float = 1e-5) -> Array:
    """`gamma` and `beta` are of the channels, or of all normalized axes."""
    axes = _axes(axis, data.ndim)
    if gamma.shape == tuple(data.shape[place] for place in axes):
        return layer_norm_python(data, gamma, beta, axes, epsilon)
    out = _normalized(data, axes, epsilon)
    return out * _along(gamma, 1, data.ndim) + _along(beta, 1, data.ndim)


def group_norm_python(
    data: Array,
    gamma: Array,
    beta: Array,
    num_groups: int,
    channel_axis: int,
    axes: Sequence[int],
    epsilon: float = 1e-5,
) -> Array:
    channel_axis %= data.ndim
    inside = data.shape[channel_axis] // num_groups
    shape = [*data.shape[:channel_axis], num_groups, inside, *data.shape[channel_axis + 1 :]]
    inner = tuple(axis + (axis > channel_axis) for axis in (axis % data.ndim for axis in axes))
    grouped = data.astype("float32").reshape(shape)
    out = _normalized(grouped, (channel_axis + 1, *inner), epsilon).reshape(data.shape).astype(data.dtype)
    return out * _along(gamma, channel_axis, data.ndim) + _along(beta, channel_axis, data.ndim)


def rms_norm_python(data: Array, weight: Array, axis: Axes, epsilon: float = 1e-5) -> Array:
    x = data.astype("float32")
    axes = _axes(axis, data.ndim)
    out = x / np.sqrt((x * x).mean(axes, keepdims=True) + epsilon)
    shape = [size if place in axes else 1 for place, size in enumerate(data.shape)]
    return np.asarray(out.astype(data.dtype) * weight.reshape(shape))


def l2_normalize_python(a_np: Array, eps: float, axis: Axes | None = None) -> Array:
    squares = (a_np**2).sum(None if axis is None else _axes(axis, a_np.ndim), keepdims=True)
    return np.asarray(a_np / np.sqrt(np.maximum(squares, eps)))


def lrn_python(a_np: Array, size: int, axis: int, bias: float, alpha: float, beta: float) -> Array:
    """Return elements over a power of the mean square of their neighbors along an axis."""
    reach = size // 2
    widths = [(reach, reach) if place == axis else (0, 0) for place in range(a_np.ndim)]
    squares = np.pad(a_np**2, widths)
    sums = np.lib.stride_tricks.sliding_window_view(squares, 2 * reach + 1, axis).sum(-1)
    return np.asarray(a_np / (bias + alpha / size * sums) ** beta)


def nll_loss(
    predictions: Array, targets: Array, weights: Array, reduction: str = "mean", ignore_index: int = -100
) -> Any:
    """Return the weighted negative log-likelihood of classes (`torch.nn.functional.nll_loss`)."""
    is_counted = targets != ignore_index
    classes = np.where(is_counted, targets, 0)
    factors = weights[classes] * is_counted
    losses = -np.take_along_axis(predictions, classes[:, None], 1)[:, 0] * factors
    if reduction == "none":
        return losses
    return losses.sum() / factors.sum() if reduction == "mean" else losses.sum()
