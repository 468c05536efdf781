"""Convolutions and their transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.ir.topi.nn.utils import get_pad_tuple_generic
from tvmscript.ir.topi.utils import get_const_int

Array = npt.NDArray[Any]
#: a number for all dimensions, or one for each
Sizes = int | Sequence[int]

_SPATIAL: Final = "DHW"


def per_dimension(value: Sizes, count: int) -> list[int]:
    """Return a number for each spatial dimension."""
    return [value] * count if isinstance(value, int) else [*value]


def _padded(x: Array, padding: Any, kernel: Sequence[int]) -> Array:
    """Return images, channels second, padded for windows of a size."""
    before, after = (map(get_const_int, widths) for widths in get_pad_tuple_generic(padding, kernel))
    return np.pad(x, [(0, 0), (0, 0), *zip(before, after, strict=True)])


def _spatial_of(layout: str) -> str:
    return "".join(letter for letter in layout if letter in _SPATIAL)


def _reordered(array: Array, layout: str, wanted: str) -> Array:
    return array.transpose([layout.index(letter) for letter in wanted])


def windows_of(x: Array, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Array:
    """Return the windows of images: batch, channel, place of the window, place in the window."""
    count = len(kernel)
    sizes = [(size - 1) * dilation + 1 for size, dilation in zip(kernel, dilations, strict=True)]
    views = np.lib.stride_tricks.sliding_window_view(x, sizes, tuple(range(2, 2 + count)))
    steps = [slice(None, None, step) for step in (*strides, *dilations)]
    return views[(slice(None), slice(None), *steps)]


def convolve(
    x: Array,
    w: Array,
    stride: Sizes = 1,
    padding: Any = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    layout: str = "NCHW",
    kernel_layout: str = "OIHW",
) -> Array:
    """Return a convolution, by windows of the padded input. `padding` is a number, widths, "SAME" or "VALID"."""
    letters = _spatial_of(layout)
    x, w = _reordered(x, layout, f"NC{letters}"), _reordered(w, kernel_layout, f"OI{letters}")
    strides, dilations = per_dimension(stride, len(letters)), per_dimension(dilation, len(letters))
    reach = [(size - 1) * step + 1 for size, step in zip(w.shape[2:], dilations, strict=True)]
    x = _padded(x, padding, reach)
    windows = windows_of(x, w.shape[2:], strides, dilations)
    batch, channels, *sizes = windows.shape
    places = sizes[: len(letters)]
    count = int(np.prod(w.shape[2:]))
    windows = windows.reshape(batch, groups, channels // groups, int(np.prod(places)), count)
    filters = len(w)
    w = w.reshape(groups, filters // groups, w.shape[1], count)
    y = np.einsum("ngcpk,gfck->ngfp", windows, w).reshape(batch, filters, *places)
    return _reordered(y, f"NC{letters}", layout)


def dilate_python(
    input_np: Array, strides: Sequence[int], dilation_value: float = 0.0, out_dtype: str | None = None
) -> Array:
    """Return the input with its elements `strides` apart."""
    sizes = [(size - 1) * stride + 1 for size, stride in zip(input_np.shape, strides, strict=True)]
    spread = np.full(sizes, dilation_value, out_dtype or input_np.dtype)
    spread[tuple(slice(None, None, stride) for stride in strides)] = input_np
    return spread


def convolve_transposed(
    x: Array, w: Array, stride: Sizes, padding: Any, output_padding: Sizes = 0, groups: int = 1
) -> Array:
    """Return a transposed convolution: one of the dilated input with the flipped kernel (inputs, outputs, ...)."""
    count = x.ndim - 2
    spread = dilate_python(x, [1, 1, *per_dimension(stride, count)])
    inputs, outputs, *sizes = w.shape
    w = w.reshape(groups, inputs // groups, outputs, *sizes).swapaxes(1, 2).reshape(-1, inputs // groups, *sizes)
    w = np.flip(w, tuple(range(2, w.ndim)))
    before, after = get_pad_tuple_generic(padding, sizes)
    extra = per_dimension(output_padding, count)
    heads = [size - 1 - width for size, width in zip(sizes, before, strict=True)]
    tails = [size - 1 - width + more for size, width, more in zip(sizes, after, extra, strict=True)]
    # widths may be negative: what they leave out
    kept = [slice(max(-head, 0), min(tail, 0) or None) for head, tail in zip(heads, tails, strict=True)]
    spread = spread[(slice(None), slice(None), *kept)]
    letters = _SPATIAL[3 - count :]
    widths = [max(width, 0) for width in (*heads, *tails)]
    return convolve(spread, w, 1, widths, 1, groups, f"NC{letters}", f"OI{letters}")


# -- TVM's names


def conv1d_ncw_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any, dilation: Sizes) -> Array:
    return convolve(a_np, w_np, stride, padding, dilation, 1, "NCW", "OIW")


def group_conv1d_ncw_python(
    a_np: Array, w_np: Array, stride: Sizes, padding: Any, dilation: Sizes, groups: int
) -> Array:
    return convolve(a_np, w_np, stride, padding, dilation, groups, "NCW", "OIW")


def conv2d_nchw_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any, groups: int = 1) -> Array:
    return convolve(a_np, w_np, stride, padding, 1, groups)


def conv2d_nhwc_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any, groups: int = 1) -> Array:
    return convolve(a_np, w_np, stride, padding, 1, groups, "NHWC", "HWIO")


def conv2d_hwcn_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any) -> Array:
    return convolve(a_np, w_np, stride, padding, 1, 1, "HWCN", "HWIO")


def conv3d_ncdhw_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any, groups: int = 1) -> Array:
    return convolve(a_np, w_np, stride, padding, 1, groups, "NCDHW", "OIDHW")


def conv3d_ndhwc_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any, groups: int = 1) -> Array:
    return convolve(a_np, w_np, stride, padding, 1, groups, "NDHWC", "DHWIO")


def depthwise_conv2d_python_nchw(input_np: Array, filter_np: Array, stride: Sizes, padding: Any) -> Array:
    """The kernel is (channels, multiples, height, width)."""
    kernel = filter_np.reshape(-1, 1, *filter_np.shape[2:])
    return convolve(input_np, kernel, stride, padding, 1, input_np.shape[1])


def depthwise_conv2d_python_nhwc(input_np: Array, filter_np: Array, stride: Sizes, padding: Any) -> Array:
    """The kernel is (height, width, channels, multiples)."""
    channels_first = depthwise_conv2d_python_nchw(
        input_np.transpose(0, 3, 1, 2), filter_np.transpose(2, 3, 0, 1), stride, padding
    )
    return channels_first.transpose(0, 2, 3, 1)


def depthwise_conv2d_python_nchwc(input_np: Array, filter_np: Array, stride: Sizes, padding: Any) -> Array:
    """The input is in blocks of channels, the kernel (blocks, 1, height, width, 1, channels in a block)."""
    batch, blocks, height, width, block = input_np.shape
    x = input_np.transpose(0, 1, 4, 2, 3).reshape(batch, blocks * block, height, width)
    _, _, rows, columns, _, inner = filter_np.shape
    w = filter_np.transpose(0, 5, 1, 4, 2, 3).reshape(-1, 1, rows, columns)
    y = depthwise_conv2d_python_nchw(x, w.reshape(x.shape[1], -1, rows, columns), stride, padding)
    return y.reshape(batch, y.shape[1] // inner, inner, *y.shape[2:]).transpose(0, 1, 3, 4, 2)


def conv1d_transpose_ncw_python(a_np: Array, w_np: Array, stride: Sizes, padding: Any, output_padding: Sizes) -> Array:
    return convolve_transposed(a_np, w_np, stride, padding, output_padding)


def group_conv1d_transpose_ncw_python(
    a_np: Array, w_np: Array, stride: Sizes, padding: Any, output_padding: Sizes, groups: int = 1
) -> Array:
    return convolve_transposed(a_np, w_np, stride, padding, output_padding, groups)


def conv2d_transpose_nchw_python(
    a_np: Array, w_np: Array, stride: Sizes, padding: Any, output_padding: Sizes, groups: int = 1
) -> Array:
    return convolve_transposed(a_np, w_np, stride, padding, output_padding, groups)


def conv2d_transpose_nhwc_python(
    a_nhwc: Array, weight: Array, weight_format: str, stride: Sizes, padding: Any, output_padding: Sizes = (0, 0)
) -> Array:
    """`weight_format` names the axes of the kernel; `I` are the channels of the input."""
    x, w = a_nhwc.transpose(0, 3, 1, 2), _reordered(weight, weight_format, "IOHW")
    return convolve_transposed(x, w, stride, padding, output_padding).transpose(0, 2, 3, 1)


def conv3d_transpose_ncdhw_python(
    a_np: Array, w_np: Array, stride: Sizes, padding: Any, output_padding: Sizes, groups: int = 1
) -> Array:
    return convolve_transposed(a_np, w_np, stride, padding, output_padding, groups)


def conv2d_backward_weight_python(
    dy_np: Array,
    x_np: Array,
    kernel_size: Sequence[int],
    stride: Sizes,
    padding: Any,
    layout: str = "NCHW",
    groups: int = 1,
    channels: int | None = None,
) -> Array:
    """Return the gradient of the kernel of a convolution, by windows of the padded input."""
    dy, x = _reordered(dy_np, layout, "NCHW"), _reordered(x_np, layout, "NCHW")
    x = _padded(x, padding, kernel_size)
    windows = windows_of(x, kernel_size, per_dimension(stride, 2), [1, 1])[:, :, : dy.shape[2], : dy.shape[3]]
    grouped = windows.reshape(len(x), groups, -1, *windows.shape[2:])
    dy = dy.reshape(len(x), groups, -1, *dy.shape[2:])
    dw = np.einsum("ngcyxhw,ngoyx->gochw", grouped, dy)
    kernel = dw.reshape(-1, *dw.shape[2:])
    return kernel if layout == "NCHW" else _reordered(kernel, "OIHW", "OHWI")
