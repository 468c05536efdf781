"""Deformable convolution of two dimensions (J. Dai et al., ICCV 2017)."""

from __future__ import annotations

from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import Extents, Padding, function, simplify, sum_products
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.image.sampling import beside, interpolate
from tvmscript.ir.topi.nn.windows import Windows, relayout


def _deformable(
    data: Tensor,
    offset: Tensor,
    kernel: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    deformable_groups: int,
    groups: int,
    out_dtype: str | None,
    layout: str,
    kernel_layout: str,
) -> Tensor:
    where = f"nn.deformable_conv2d_{layout.lower()}"
    if data.ndim != 4 or offset.ndim != 4 or kernel.ndim != 4:
        raise InvalidOperand(where=where, reason="the data, the offsets and the kernel have 4 dimensions")
    dtype = out_dtype or data.dtype
    batch, channels, height, width = relayout(data.shape, layout, "NCHW")
    filters, inner, kh, kw = relayout(kernel.shape, kernel_layout, "OIHW")
    out = relayout(offset.shape, layout, "HW")
    windows = Windows((kh, kw), strides, padding, dilation, where)
    divide = function("indexdiv")
    channels_of_group = simplify(divide(channels, deformable_groups))
    filters_of_group = simplify(divide(filters, groups))
    zero = const(0.0, data.dtype)

    def sample(n: Expr, c: Expr, h: Expr, w: Expr, y: Expr, x: Expr) -> Expr:
        group = divide(c, channels_of_group)
        first = group * (kh * kw * 2) + h * (kw * 2) + w * 2
        # offsets are pairs of y and x for each element of the kernel
        moves = [offset(*relayout([n, first + k, y, x], "NCHW", layout)) for k in (0, 1)]
        dimensions = zip((y, x), windows.strides, (h, w), windows.dilations, windows.heads, moves, strict=True)
        places = [
            cast_expr(move.dtype, index * step + tap * gap - head) + move
            for index, step, tap, gap, head, move in dimensions
        ]

        def read(below: list[Expr], sides: list[int]) -> Expr:
            indices = beside(below, sides)
            inside = [index >= 0 for index in indices] + [indices[0] < height, indices[1] < width]
            element = data(*relayout([n, c, *indices], "NCHW", layout))
            return function("if_then_else")(function("all")(*inside), element, zero)

        return interpolate(read, places)

    # the axes of samples are in the order of the layout, rows and columns of the kernel for those of the image
    if layout == "NCHW":
        samples = compute((batch, channels, kh, kw, *out), lambda n, c, kh, kw, y, x: sample(n, c, kh, kw, y, x))
    else:
        samples = compute((batch, kh, kw, channels, *out), lambda n, kh, kw, c, y, x: sample(n, c, kh, kw, y, x))
    rc, ry, rx = (reduce_axis((0, size), name) for size, name in ((inner, "rc"), (kh, "ry"), (kw, "rx")))
    axes = relayout([rc, ry, rx], "CHW", layout[1:])

    def value(*i: Expr) -> Expr:
        n, f, y, x = relayout(i, layout, "NCHW")
        channel: Expr = rc.var
        if groups > 1:
            channel = divide(f, filters_of_group) * inner + rc.var
        element = samples(*relayout([n, channel, ry, rx], "NCHW", layout), y, x)
        weight = kernel(*relayout([f, rc, ry, rx], "OIHW", kernel_layout))
        return sum_products(dtype, element, weight, axes)

    shape = relayout([batch, filters, *out], "NCHW", layout)
    names = relayout("nfyx", "NCHW", layout)
    return compute(shape, value, tag=f"deformable_conv2d_{layout.lower()}", varargs_names=names)


def deformable_conv2d_nchw(
    data: Tensor,
    offset: Tensor,
    kernel: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    deformable_groups: int,
    groups: int,
    out_dtype: str | None,
) -> Tensor:
    """Return torchvision.ops.deform_conv2d without a mask, channels second, kernels OIHW."""
    options = (strides, padding, dilation, deformable_groups, groups, out_dtype)
    return _deformable(data, offset, kernel, *options, "NCHW", "OIHW")


def deformable_conv2d_nhwc(
    data: Tensor,
    offset: Tensor,
    kernel: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    deformable_groups: int,
    groups: int,
    out_dtype: str | None,
) -> Tensor:
    """Return torchvision.ops.deform_conv2d without a mask, channels last, kernels HWIO."""
    options = (strides, padding, dilation, deformable_groups, groups, out_dtype)
    return _deformable(data, offset, kernel, *options, "NHWC", "HWIO")
