"""Convolutions of two dimensions with a group for each channel, and their gradients."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import Extents, Padding, function, known_int, simplify, sum_products
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import dilate, pad
from tvmscript.ir.topi.nn.windows import Windows, each, pad_tuple, relayout


def _depthwise(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str | None,
    layout: str,
    kernel: str,
) -> Tensor:
    where = f"nn.depthwise_conv2d_{layout.lower()}"
    dtype = Input.dtype if out_dtype is None else out_dtype
    batch, channels, *extents = relayout(Input.shape, layout, "NCHW")
    filters, multiplier, *sizes = relayout(Filter.shape, kernel, "OIHW")
    windows = Windows(sizes, stride, padding, dilation, where)
    padded = windows.pad(Input, "NCHW", layout, "PaddedInput")
    over = [reduce_axis((0, size), name) for size, name in zip(sizes, ("di", "dj"), strict=True)]
    filter_channels = known_int(filters)
    if filter_channels is not None and known_int(channels) not in (None, filter_channels):
        raise InvalidOperand(where=where, reason=f"{channels} channels, and a kernel of {filter_channels}")

    def value(*i: Expr) -> Expr:
        sample, c, *position = relayout(i, layout, "NCHW")
        source, number = function("indexdiv")(c, multiplier), function("indexmod")(c, multiplier)
        indices = [sample, source, *windows.places(position, over)]
        element = padded(*relayout(indices, "NCHW", layout))
        weight = Filter(*relayout([source, number, *over], "OIHW", kernel))
        return sum_products(dtype, element, weight, over)

    return compute(
        relayout([batch, simplify(channels * multiplier), *windows.counts(extents)], "NCHW", layout),
        value,
        name="DepthwiseConv2d",
        tag=f"depthwise_conv2d_{layout.lower()}",
        varargs_names=relayout("bcij", "NCHW", layout),
    )


def depthwise_conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Extents, padding: Padding, dilation: Extents, out_dtype: str | None = None
) -> Tensor:
    """Return ONNX's Conv of two dimensions with a group for each channel, channels second."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NCHW", "OIHW")


def depthwise_conv2d_nhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    kernel_layout: str = "HWOI",
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of two dimensions with a group for each channel, channels last."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NHWC", kernel_layout)


def depthwise_conv2d_backward_input_nhwc(
    Filter: Tensor,
    Out_grad: Tensor,
    oshape: Sequence[Extent],
    ishape: Sequence[Extent],
    stride: Extents,
    padding: Padding,
) -> Tensor:
    """Return the gradient of a depthwise convolution "NHWC" in its input: a transposed convolution."""
    where = "nn.depthwise_conv2d_backward_input_nhwc"
    batch, height, width, channels = ishape
    *sizes, _, multiplier = Filter.shape
    strides = each(stride, 2, where)
    heads, _ = pad_tuple(padding, sizes, where)
    dilated = dilate(Out_grad, [1, *strides, 1], name="dilated_out_grad")
    before = [simplify(size - 1 - head) for size, head in zip(sizes, heads, strict=True)]
    after = [
        simplify(extent + size - 1 - head - old)
        for extent, size, head, old in zip((height, width), sizes, before, dilated.shape[1:3], strict=True)
    ]
    padded = pad(dilated, [0, *before, 0], [0, *after, 0], name="padded_out_grad")
    dh, dw = (reduce_axis((0, size), axis) for size, axis in zip(sizes, ("dh", "dw"), strict=True))
    dc = reduce_axis((0, multiplier), "dc")

    def value(b: Expr, h: Expr, w: Expr, c: Expr) -> Expr:
        grad = padded(b, h + dh.var, w + dw.var, c * multiplier + dc.var)
        return reduction.sum(grad * Filter(sizes[0] - 1 - dh.var, sizes[1] - 1 - dw.var, c, dc), axis=[dh, dw, dc])

    shape = (batch, height, width, channels)
    return compute(shape, value, tag="depthwise_conv2d_backward_input_nhwc")


def depthwise_conv2d_backward_weight_nhwc(
    Input: Tensor,
    Out_grad: Tensor,
    oshape: Sequence[Extent],
    fshape: Sequence[Extent],
    stride: Extents,
    padding: Padding,
) -> Tensor:
    """Return the gradient of a depthwise convolution "NHWC" in its kernel "HWIM"."""
    where = "nn.depthwise_conv2d_backward_weight_nhwc"
    batch, height, width, _ = oshape
    *sizes, _, multiplier = fshape
    strides = each(stride, 2, where)
    heads, tails = pad_tuple(padding, sizes, where)
    padded = pad(Input, [0, *heads, 0], [0, *tails, 0], name="padded_in")
    db, dh, dw = (reduce_axis((0, size), axis) for size, axis in ((batch, "db"), (height, "dh"), (width, "dw")))

    def value(fh: Expr, fw: Expr, c: Expr, m: Expr) -> Expr:
        grad = Out_grad(db, dh, dw, c * multiplier + function("indexmod")(m, multiplier))
        element = padded(db, dh.var * strides[0] + fh, dw.var * strides[1] + fw, c)
        return reduction.sum(grad * element, axis=[db, dh, dw])

    return compute(fshape, value, tag="depthwise_conv2d_backward_weight_nhwc")
