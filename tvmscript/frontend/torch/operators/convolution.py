"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, manipulate
from tvmscript.ir.relax.op.nn import conv
from tvmscript.ir.relax.op.nn.pad import pad
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.operator import Operator

Extents = int | Sequence[int]

#: number of spatial axes -> the operator, its transpose, their layouts of data and of kernels
_CONVOLUTIONS: dict[int, tuple[Operator, Operator, str]] = {
    1: (conv.conv1d, conv.conv1d_transpose, "W"),
    2: (conv.conv2d, conv.conv2d_transpose, "HW"),
    3: (conv.conv3d, conv.conv3d_transpose, "DHW"),
}


def extents_of(value: Extents, count: int) -> list[int]:
    """Return one number for each spatial axis."""
    numbers = [value] if isinstance(value, int) else list(value)
    return numbers * count if len(numbers) == 1 else numbers


def convolve(
    ctx: Context,
    x: RelaxExpr,
    weight: RelaxExpr,
    bias: RelaxExpr | None,
    stride: Extents,
    padding: Extents | str,
    dilation: Extents,
    groups: int,
    transposed: bool = False,
    output_padding: Extents = 0,
) -> RelaxExpr:
    """Emit a convolution. A tensor without the axis of the batch is a batch of one."""
    count = ctx.ndim(weight) - 2
    if count not in _CONVOLUTIONS:
        ctx.fail(f"a convolution over {count} axes has no operator in a graph")
    batched = ctx.ndim(x) == count + 2
    data = x if batched else ctx.call(manipulate.expand_dims, x, 0)
    if isinstance(padding, str):
        data, padding = _named_padding(ctx, data, weight, padding, extents_of(dilation, count))
    plain, transpose, axes = _CONVOLUTIONS[count]
    options: dict[str, object] = {
        "strides": extents_of(stride, count),
        "padding": extents_of(padding, count),
        "dilation": extents_of(dilation, count),
        "groups": groups,
        "data_layout": f"NC{axes}",
        "kernel_layout": f"{'IO' if transposed else 'OI'}{axes}",
        "out_dtype": ctx.dtype(x),
    }
    if transposed:
        options["output_padding"] = extents_of(output_padding, count)
    result: RelaxExpr = ctx.call(transpose if transposed else plain, data, weight, **options)
    if bias is not None:
        result = ctx.call(binary.add, result, ctx.call(reshape, bias, [1, -1, *[1] * count]))
    return result if batched else ctx.call(manipulate.squeeze, result, [0])


def _named_padding(
    ctx: Context, data: RelaxExpr, weight: RelaxExpr, name: str, dilation: Sequence[int]
) -> tuple[RelaxExpr, list[int]]:
    """Return data and padding for `valid` and `same`, which may need one more element behind than before."""
    kernel = ctx.static_shape(weight)[2:]
    if name == "valid":
        return data, [0] * len(kernel)
    totals = [step * (extent - 1) for step, extent in zip(dilation, kernel, strict=True)]
    if any(total % 2 for total in totals):
        widths = [0, 0, 0, 0] + [width for total in totals for width in (0, total % 2)]
        data = ctx.call(pad, data, widths)
    return data, [total // 2 for total in totals]


@converts("convolution", "_convolution")
def _convolution(
    ctx: Context,
    x: RelaxExpr,
    weight: RelaxExpr,
    bias: RelaxExpr | None,
    stride: Extents,
    padding: Extents,
    dilation: Extents,
    transposed: bool,
    output_padding: Extents,
    groups: int,
    *_: object,
) -> RelaxExpr:
    return convolve(ctx, x, weight, bias, stride, padding, dilation, groups, transposed, output_padding)


@converts("_convolution_mode")
def _convolution_of_names(
    ctx: Context,
    x: RelaxExpr,
    weight: RelaxExpr,
    bias: RelaxExpr | None = None,
    stride: Extents = 1,
    padding: Extents | str = 0,
    dilation: Extents = 1,
    groups: int = 1,
) -> RelaxExpr:
    return convolve(ctx, x, weight, bias, stride, padding, dilation, groups)


def _transpose_of_names(
    ctx: Context,
    x: RelaxExpr,
    weight: RelaxExpr,
    bias: RelaxExpr | None = None,
    stride: Extents = 1,
    padding: Extents = 0,
    output_padding: Extents = 0,
    groups: int = 1,
    dilation: Extents = 1,
) -> RelaxExpr:
    return convolve(ctx, x, weight, bias, stride, padding, dilation, groups, True, output_padding)


register(_convolution_of_names, "conv1d", "conv2d", "conv3d")
register(_transpose_of_names, "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
