"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn import op
from tvmscript.frontend.nn.module import Module
from tvmscript.frontend.nn.parameter import Parameter
from tvmscript.frontend.nn.tensor import Size, Tensor
from tvmscript.ir.tir import Var


def _divided(channels: Any, groups: int) -> Any:
    """Return the number of channels of a group; a name makes a size variable."""
    if isinstance(channels, str):
        channels = Var(channels, "int64")
    return channels // groups


class Conv1D(Module):
    """A convolution over one dimension."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: str | None = None,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel_size
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.weight = Parameter((out_channels, in_channels // groups, kernel_size), dtype)
        self.bias = Parameter((out_channels,), dtype) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return op.conv1d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class ConvTranspose1D(Module):
    """A transposed convolution over one dimension."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        output_padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: str | None = None,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel_size
        self.stride, self.padding, self.output_padding = stride, padding, output_padding
        self.dilation, self.groups = dilation, groups
        self.weight = Parameter((in_channels, out_channels // groups, kernel_size), dtype)
        self.bias = Parameter((out_channels,), dtype) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        options = (self.stride, self.padding, self.output_padding, self.dilation, self.groups)
        return op.conv1d_transpose(x, self.weight, self.bias, *options)


class _ConvND(Module):
    """A convolution over several dimensions, with a layout of the data."""

    def __init__(
        self,
        rank: int,
        channels: tuple[Size, Size],
        kernel_size: int | Sequence[int],
        options: tuple[Any, Any, Any, int],
        bias: bool,
        dtype: str | None,
        data_layout: str,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels = channels
        self.stride, self.padding, self.dilation, self.groups = options
        self.data_layout = data_layout
        self.kernel_size = [kernel_size] * rank if isinstance(kernel_size, int) else list(kernel_size)
        self.weight = Parameter([self.out_channels, _divided(self.in_channels, self.groups), *self.kernel_size], dtype)
        self.bias = Parameter((self.out_channels,), dtype) if bias else None


class Conv2D(_ConvND):
    """A convolution over two dimensions."""

    def __init__(
        self,
        in_channels: Size,
        out_channels: Size,
        kernel_size: int | Sequence[int],
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: str | None = None,
        data_layout: str = "NCHW",
    ) -> None:
        options = (stride, padding, dilation, groups)
        super().__init__(2, (in_channels, out_channels), kernel_size, options, bias, dtype, data_layout)

    def forward(self, x: Tensor) -> Tensor:
        options = (self.stride, self.padding, self.dilation, self.groups, self.data_layout)
        return op.conv2d(x, self.weight, self.bias, *options)


class Conv3D(_ConvND):
    """A convolution over three dimensions."""

    def __init__(
        self,
        in_channels: Size,
        out_channels: Size,
        kernel_size: int | Sequence[int],
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: str | None = None,
        data_layout: str = "NCDHW",
    ) -> None:
        options = (stride, padding, dilation, groups)
        super().__init__(3, (in_channels, out_channels), kernel_size, options, bias, dtype, data_layout)

    def forward(self, x: Tensor) -> Tensor:
        options = (self.stride, self.padding, self.dilation, self.groups, self.data_layout)
        return op.conv3d(x, self.weight, self.bias, *options)
