"""Greyscale dilation of images."""

from __future__ import annotations

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import Extents, Padding
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad
from tvmscript.ir.topi.nn.windows import Windows, relayout


def _dilation(
    data: Tensor, weights: Tensor, stride: Extents, padding: Padding, dilations: Extents, layout: str, pad_name: str
) -> Tensor:
    where = f"image.dilation2d_{layout.lower()}"
    if (data.ndim, weights.ndim) != (4, 3):
        raise InvalidOperand(where=where, reason=f"the data have {data.ndim} dimensions, the weights {weights.ndim}")
    batch, channels, *extents = relayout(data.shape, layout, "NCHW")
    # the weights have the layout of the data, without the batch
    inner = layout[1:]
    sizes = relayout(weights.shape, inner, "HW")
    windows = Windows(sizes, stride, padding, dilations, where)
    before, after = (relayout([0, 0, *widths], "NCHW", layout) for widths in (windows.heads, windows.tails))
    padded = pad(data, before, after, name=pad_name)
    over = [reduce_axis((0, size), name) for size, name in zip(sizes, ("ry", "rx"), strict=True)]

    def value(*i: Expr) -> Expr:
        sample, channel, *position = relayout(i, layout, "NCHW")
        element = padded(*relayout([sample, channel, *windows.places(position, over)], "NCHW", layout))
        return reduction.max(element + weights(*relayout([channel, *over], "CHW", inner)), axis=over)

    shape = relayout([batch, channels, *windows.counts(extents)], "NCHW", layout)
    names = relayout(["nn", "ff", "yy", "xx"], "NCHW", layout)
    return compute(shape, value, tag=f"dilation2d_{layout.lower()}", varargs_names=names)


def dilation2d_nchw(
    input: Tensor, filter: Tensor, stride: Extents, padding: Padding, dilations: Extents, out_dtype: str | None = None
) -> Tensor:
    """Return scipy.ndimage.grey_dilation with a structure for each channel, not flipped, channels second."""
    return _dilation(input, filter, stride, padding, dilations, "NCHW", "pad_temp")


def dilation2d_nhwc(
    input: Tensor, filter: Tensor, stride: Extents, padding: Padding, dilations: Extents, out_dtype: str | None = None
) -> Tensor:
    """Return scipy.ndimage.grey_dilation with a structure for each channel, not flipped, channels last."""
    return _dilation(input, filter, stride, padding, dilations, "NHWC", "padded_input")
