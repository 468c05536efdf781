"""Normalizations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tvmscript.frontend.nn.tensor import Tensor, emit
from tvmscript.language import R


def softmax(x: Tensor, axis: int = -1, name: str = "softmax") -> Tensor:
    """Return exp(x), divided by its sum along an axis."""
    return emit(R.nn.softmax(x.expr, axis), name)


def layer_norm(
    x: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    name: str = "layer_norm",
) -> Tensor:
    """Return x normalized over its last axes, those of `normalized_shape`."""
    shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    gamma = R.const(np.ones(shape), dtype=x.dtype) if weight is None else weight.expr
    beta = R.const(np.zeros(shape), dtype=x.dtype) if bias is None else bias.expr
    return emit(R.nn.layer_norm(x.expr, gamma, beta, axes=list(range(-len(shape), 0)), epsilon=eps), name)


def rms_norm(
    x: Tensor, weight: Tensor, axes: int | Sequence[int], epsilon: float = 1e-5, name: str = "rms_norm"
) -> Tensor:
    """Return x divided by the root of the mean of its squares over some axes, times the weight."""
    return emit(R.nn.rms_norm(x.expr, weight.expr, axes, epsilon), name)


def group_norm(
    x: Tensor,
    num_groups: int,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float = 1e-5,
    channel_axis: int = 1,
    axes: Sequence[int] | None = None,
    name: str = "group_norm",
) -> Tensor:
    """Return x, each group of its channels normalized over its channels and `axes`: all from the third on."""
    channels = x.shape[channel_axis]
    gamma = R.ones((channels,), x.dtype) if weight is None else weight.expr
    beta = R.zeros((channels,), x.dtype) if bias is None else bias.expr
    over = list(range(2, x.ndim)) if axes is None else list(axes)
    return emit(R.nn.group_norm(x.expr, gamma, beta, num_groups, channel_axis, over, epsilon=eps), name)
