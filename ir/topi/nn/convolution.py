"""Convolutions of 1, 2 and 3 dimensions: in groups, dilated."""

from __future__ import annotations

from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import LAYOUT_FREE, Extent, Index, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import Extents, Padding, function, known_int, simplify, sum_products
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.windows import SPATIAL, Windows, relayout


def _default_kernel_layout(data_layout: str) -> str:
    spatial = "".join(letter for letter in data_layout if letter in SPATIAL)
    if data_layout.startswith("NC"):
        return f"OI{spatial}"
    return f"{spatial}IO"


def conv(
    inp: Tensor,
    filt: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    groups: int,
    data_layout: str,
    kernel_layout: str = "",
    out_dtype: str | None = None,
    auto_scheduler_rewritten_layout: str | None = None,
    meta_schedule_original_shape: object = None,
    auto_scheduler_should_rewrite_layout: bool = False,
) -> Tensor:
    """Return ONNX's Conv of any number of dimensions, for layouts such as "NCHW" and "OIHW"."""
    count = len(data_layout) - 2
    kind = f"conv{count}d_{data_layout.lower()}"
    where = f"nn.{kind}"
    dtype = inp.dtype if out_dtype is None else out_dtype
    spatial = "".join(letter for letter in data_layout if letter in SPATIAL)
    kernel_layout = kernel_layout or _default_kernel_layout(data_layout)
    order, kernel_order = f"NC{spatial}", f"OI{spatial}"
    batch, channels, *extents = relayout(inp.shape, data_layout, order)
    filters, inner, *kernel = relayout(filt.shape, kernel_layout, kernel_order)
    check_channels(where, channels, inner, filters, groups)
    windows = Windows(kernel, stride, padding, dilation, where)
    padded = windows.pad(inp, order, data_layout, "pad_temp")
    divide = function("floordiv")
    rc = reduce_axis((0, simplify(divide(channels, groups))), "rc")
    over = [reduce_axis((0, size), f"r{letter}") for size, letter in zip(kernel, "yxz", strict=False)]
    # in the order of the layout but for its first letter, which TVM takes to be N
    rest = data_layout[1:]
    axes = relayout([rc, *over], "".join(sorted(rest, key=order.index)), rest)

    def value(*i: Expr) -> Expr:
        sample, f, *position = relayout(i, data_layout, order)
        channel: Index = rc
        if groups > 1:
            channel = divide(f, divide(filters, groups)) * divide(channels, groups) + rc.var
        indices = [sample, channel, *windows.places(position, over)]
        element = padded(*relayout(indices, order, data_layout))
        weight = filt(*relayout([f, rc, *over], kernel_order, kernel_layout))
        return sum_products(dtype, element, weight, axes)

    name = f"group_{kind}" if groups > 1 else kind
    return compute(
        relayout([batch, filters, *windows.counts(extents)], order, data_layout),
        value,
        name=name,
        tag=name,
        attrs={LAYOUT_FREE: [filt]} if auto_scheduler_should_rewrite_layout else None,
        varargs_names=relayout(["nn", "ff", "yy", "xx", "zz"], order, data_layout),
    )


def check_channels(where: str, channels: Extent, inner: Extent | None, filters: Extent | None, groups: int) -> None:
    """Raise `InvalidOperand` where channels, those of the kernel and filters are not so many groups."""
    sizes = [None if extent is None else known_int(extent) for extent in (channels, inner, filters)]
    if sizes[0] is not None and (sizes[0] % groups or sizes[1] not in (None, sizes[0] // groups)):
        reason = f"{sizes[0]} channels in {groups} groups are not those of the kernel, {sizes[1]}"
        raise InvalidOperand(where=where, reason=reason)
    if sizes[2] is not None and sizes[2] % groups:
        raise InvalidOperand(where=where, reason=f"{sizes[2]} filters are not {groups} equal groups")


def conv1d(
    data: Tensor,
    kernel: Tensor,
    strides: Extents = 1,
    padding: Padding = "VALID",
    dilation: Extents = 1,
    groups: int = 1,
    data_layout: str = "NCW",
    kernel_layout: str = "",
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of one dimension."""
    return conv(data, kernel, strides, padding, dilation, groups, data_layout, kernel_layout, out_dtype)


def conv1d_ncw(
    data: Tensor,
    kernel: Tensor,
    strides: Extents = 1,
    padding: Padding = "VALID",
    dilation: Extents = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of one dimension, channels second."""
    return conv(data, kernel, strides, padding, dilation, 1, "NCW", "", out_dtype)


def conv1d_nwc(
    data: Tensor,
    kernel: Tensor,
    strides: Extents = 1,
    padding: Padding = "VALID",
    dilation: Extents = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of one dimension, channels last."""
    return conv(data, kernel, strides, padding, dilation, 1, "NWC", "", out_dtype)


def group_conv1d_ncw(
    data: Tensor,
    kernel: Tensor,
    strides: Extents = 1,
    padding: Padding = "VALID",
    dilation: Extents = 1,
    groups: int = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of one dimension in groups, channels second."""
    return conv(data, kernel, strides, padding, dilation, groups, "NCW", "", out_dtype)


def group_conv1d_nwc(
    data: Tensor,
    kernel: Tensor,
    strides: Extents = 1,
    padding: Padding = "VALID",
    dilation: Extents = 1,
    groups: int = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of one dimension in groups, channels last."""
    return conv(data, kernel, strides, padding, dilation, groups, "NWC", "", out_dtype)


def conv2d(
    input: Tensor,
    filter: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    data_layout: str = "NCHW",
    kernel_layout: str = "",
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of two dimensions."""
    return conv(input, filter, strides, padding, dilation, 1, data_layout, kernel_layout, out_dtype)


def conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Extents, padding: Padding, dilation: Extents, out_dtype: str | None = None
) -> Tensor:
    """Return ONNX's Conv of two dimensions, channels second."""
    return conv(Input, Filter, stride, padding, dilation, 1, "NCHW", "", out_dtype)


def conv2d_hwcn(
    Input: Tensor, Filter: Tensor, stride: Extents, padding: Padding, dilation: Extents, out_dtype: str | None = None
) -> Tensor:
    """Return ONNX's Conv of two dimensions, batch last."""
    return conv(Input, Filter, stride, padding, dilation, 1, "HWCN", "", out_dtype)


def conv2d_nhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str = "float32",
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return ONNX's Conv of two dimensions, channels last."""
    return conv(
        Input, Filter, stride, padding, dilation, 1, "NHWC", "", out_dtype, auto_scheduler_should_rewrite_layout=True
    )


def group_conv2d_nchw(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    groups: int,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of two dimensions in groups, channels second."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NCHW", "", out_dtype)


def group_conv2d_nhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    groups: int,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of two dimensions in groups, channels last."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NHWC", "", out_dtype)


def conv3d_ncdhw(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    groups: int,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of three dimensions, channels second."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NCDHW", "", out_dtype)


def conv3d_ndhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    groups: int,
    out_dtype: str = "float32",
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_origin_shape: object = None,
) -> Tensor:
    """Return ONNX's Conv of three dimensions, channels last."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NDHWC", "", out_dtype)
