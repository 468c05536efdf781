"""Normalizations."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.nn import op
from tvmscript.frontend.nn.module import Module
from tvmscript.frontend.nn.parameter import Parameter
from tvmscript.frontend.nn.tensor import Tensor


class LayerNorm(Module):
    """Normalization over the last axis."""

    def __init__(
        self, normalized_shape: int, eps: float = 1e-5, elementwise_affine: bool = True, dtype: str | None = None
    ) -> None:
        super().__init__()
        self.normalized_shape = normalized_shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = Parameter((normalized_shape,), dtype=dtype) if elementwise_affine else None
        self.bias = Parameter((normalized_shape,), dtype=dtype) if elementwise_affine else None

    def forward(self, x: Tensor) -> Tensor:
        return op.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    """Division by the root of the mean of the squares over axes, times a weight, plus a bias."""

    def __init__(
        self,
        hidden_size: int,
        axes: int | Sequence[int],
        epsilon: float = 1e-5,
        bias: bool = True,
        dtype: str | None = None,
    ) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.axes = axes
        self.weight = Parameter((hidden_size,), dtype=dtype)
        self.bias = Parameter((hidden_size,), dtype=dtype) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        normalized = op.rms_norm(x, self.weight, self.axes, self.epsilon)
        return normalized if self.bias is None else op.add(normalized, self.bias)


class GroupNorm(Module):
    """Normalization of each group of channels."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: str | None = None
    ) -> None:
        super().__init__()
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.weight = Parameter((num_channels,), dtype=dtype) if affine else None
        self.bias = Parameter((num_channels,), dtype=dtype) if affine else None

    def forward(self, x: Tensor, channel_axis: int = 1, axes: Sequence[int] | None = None) -> Tensor:
        return op.group_norm(x, self.num_groups, self.weight, self.bias, self.eps, channel_axis, axes)
