"""Greyscale dilation of images."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad
from tvmscript.ir.topi.nn.windows import each, pad_tuple


def _dilation(
    data: Tensor, weights: Tensor, stride: Any, padding: Any, dilations: Any, layout: str, pad_name: str
) -> Any:
    where = f"image.dilation2d_{layout.lower()}"
    if (data.ndim, weights.ndim) != (4, 3):
        raise InvalidOperand(where=where, reason=f"the data have {data.ndim} dimensions, the weights {weights.ndim}")
    strides, steps = each(stride, 2, where), each(dilations, 2, where)
    channel, rows, columns = (layout.index(letter) for letter in "CHW")
    # the weights have the layout of the data, without the batch
    sizes = [weights.shape[rows - 1], weights.shape[columns - 1]]
    dilated = [(size - 1) * step + 1 for size, step in zip(sizes, steps, strict=True)]
    heads, tails = pad_tuple(padding, dilated, where)
    before, after, shape = [0] * 4, [0] * 4, list(data.shape)
    for n, axis in enumerate((rows, columns)):
        before[axis], after[axis] = heads[n], tails[n]
        extent: Any = data.shape[axis]
        shape[axis] = simplify(function("indexdiv")(extent - dilated[n] + heads[n] + tails[n], strides[n]) + 1)
    padded = pad(data, before, after, name=pad_name)
    ry, rx = (reduce_axis((0, size), name) for size, name in zip(sizes, ("ry", "rx"), strict=True))

    def value(*i: Expr) -> Any:
        indices: list[Any] = list(i)
        for n, (axis, k) in enumerate(((rows, ry), (columns, rx))):
            indices[axis] = i[axis] * strides[n] + k.var * steps[n]
        offsets: list[Any] = [None] * 3
        offsets[rows - 1], offsets[columns - 1], offsets[channel - 1] = ry, rx, i[channel]
        return reduction.max(padded(*indices) + weights(*offsets), axis=[ry, rx])

    names = [{"N": "nn", "C": "ff", "H": "yy", "W": "xx"}[letter] for letter in layout]
    return compute(shape, value, tag=f"dilation2d_{layout.lower()}", varargs_names=names)


def dilation2d_nchw(
    input: Tensor, filter: Tensor, stride: Any, padding: Any, dilations: Any, out_dtype: Any = None
) -> Any:
    """Return scipy.ndimage.grey_dilation with a structure for each channel, not flipped, channels second."""
    return _dilation(input, filter, stride, padding, dilations, "NCHW", "pad_temp")


def dilation2d_nhwc(
    input: Tensor, filter: Tensor, stride: Any, padding: Any, dilations: Any, out_dtype: Any = None
) -> Any:
    """Return scipy.ndimage.grey_dilation with a structure for each channel, not flipped, channels last."""
    return _dilation(input, filter, stride, padding, dilations, "NHWC", "padded_input")
