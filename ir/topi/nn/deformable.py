"""Deformable convolution of two dimensions (J. Dai et al., ICCV 2017)."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.image.sampling import interpolate
from tvmscript.ir.topi.nn.windows import each, pad_tuple


def _deformable(
    data: Tensor,
    offset: Tensor,
    kernel: Tensor,
    strides: Any,
    padding: Any,
    dilation: Any,
    deformable_groups: int,
    groups: int,
    out_dtype: Any,
    layout: str,
    kernel_layout: str,
) -> Any:
    where = f"nn.deformable_conv2d_{layout.lower()}"
    if data.ndim != 4 or offset.ndim != 4 or kernel.ndim != 4:
        raise InvalidOperand(where=where, reason="the data, the offsets and the kernel have 4 dimensions")
    dtype = out_dtype or data.dtype
    batch, channels, height, width = (data.shape[layout.index(letter)] for letter in "NCHW")
    filters, inner, kh, kw = (kernel.shape[kernel_layout.index(letter)] for letter in "OIHW")
    out_height, out_width = (offset.shape[layout.index(letter)] for letter in "HW")
    steps, gaps = each(strides, 2, where), each(dilation, 2, where)
    dilated = [(size - 1) * gap + 1 for size, gap in zip((kh, kw), gaps, strict=True)]
    heads, _ = pad_tuple(padding, dilated, where)
    divide = function("indexdiv")
    channels_of_group = simplify(divide(channels, deformable_groups))
    filters_of_group = simplify(divide(filters, groups))
    zero = const(0.0, data.dtype)

    def arrange(order: str, **values: Any) -> list[Any]:
        return [values[letter] for letter in order]

    def sample(n: Any, c: Any, h: Any, w: Any, y: Any, x: Any) -> Any:
        group = divide(c, channels_of_group)
        first = group * (kh * kw * 2) + h * (kw * 2) + w * 2
        # offsets are pairs of y and x for each element of the kernel
        moves = [offset(*arrange(layout, N=n, C=first + k, H=y, W=x)) for k in (0, 1)]
        base = [y * steps[0] + h * gaps[0] - heads[0], x * steps[1] + w * gaps[1] - heads[1]]
        places = [cast_expr(move.dtype, at) + move for at, move in zip(base, moves, strict=True)]

        def read(indices: list[Any]) -> Any:
            inside = [index >= 0 for index in indices] + [indices[0] < height, indices[1] < width]
            element = data(*arrange(layout, N=n, C=c, H=indices[0], W=indices[1]))
            return function("if_then_else")(function("all")(*inside), element, zero)

        return interpolate(read, places)

    # the axes of samples are in the order of the layout, rows and columns of the kernel for those of the image
    if layout == "NCHW":
        window = (batch, channels, kh, kw, out_height, out_width)
        samples = compute(window, lambda n, c, kh, kw, y, x: sample(n, c, kh, kw, y, x))
    else:
        window = (batch, kh, kw, channels, out_height, out_width)
        samples = compute(window, lambda n, kh, kw, c, y, x: sample(n, c, kh, kw, y, x))
    rc, ry, rx = (reduce_axis((0, size), name) for size, name in ((inner, "rc"), (kh, "ry"), (kw, "rx")))
    axes = [rc, ry, rx] if layout == "NCHW" else [ry, rx, rc]

    def value(*i: Expr) -> Any:
        n, f, y, x = (i[layout.index(letter)] for letter in "NCHW")
        channel: Any = rc.var
        if groups > 1:
            channel = divide(f, filters_of_group) * inner + rc.var
        order = (n, channel, ry, rx, y, x) if layout == "NCHW" else (n, ry, rx, channel, y, x)
        weight = kernel(*arrange(kernel_layout, O=f, I=rc, H=ry, W=rx))
        return reduction.sum(cast_expr(dtype, samples(*order)) * cast_expr(dtype, weight), axis=axes)

    shape = arrange(layout, N=batch, C=filters, H=out_height, W=out_width)
    names = [{"N": "n", "C": "f", "H": "y", "W": "x"}[letter] for letter in layout]
    return compute(shape, value, tag=f"deformable_conv2d_{layout.lower()}", varargs_names=names)


def deformable_conv2d_nchw(
    data: Tensor,
    offset: Tensor,
    kernel: Tensor,
    strides: Any,
    padding: Any,
    dilation: Any,
    deformable_groups: int,
    groups: int,
    out_dtype: Any,
) -> Any:
    """Return torchvision.ops.deform_conv2d without a mask, channels second, kernels OIHW."""
    options = (strides, padding, dilation, deformable_groups, groups, out_dtype)
    return _deformable(data, offset, kernel, *options, "NCHW", "OIHW")


def deformable_conv2d_nhwc(
    data: Tensor,
    offset: Tensor,
    kernel: Tensor,
    strides: Any,
    padding: Any,
    dilation: Any,
    deformable_groups: int,
    groups: int,
    out_dtype: Any,
) -> Any:
    """Return torchvision.ops.deform_conv2d without a mask, channels last, kernels HWIO."""
    options = (strides, padding, dilation, deformable_groups, groups, out_dtype)
    return _deformable(data, offset, kernel, *options, "NHWC", "HWIO")
