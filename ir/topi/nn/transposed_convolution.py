"""Transposed convolutions of 1, 2 and 3 dimensions: convolutions of dilated data with flipped kernels."""

from __future__ import annotations

from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import Extents, Padding, function, known_int, simplify, sum_products
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.convolution import check_channels
from tvmscript.ir.topi.nn.padding import dilate, pad
from tvmscript.ir.topi.nn.windows import each, pad_tuple


def _prepare(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    output_padding: Extents,
    where: str,
    name: str,
    names: str,
) -> tuple[Tensor, Tensor]:
    """Return the dilated and padded tensor, and the flipped kernel with its channels exchanged."""
    count = data.ndim - 2
    sizes = kernel.shape[2:]
    strides, extra = each(stride, count, where), each(output_padding, count, where)
    heads, tails = pad_tuple(padding, sizes, where)
    dilated = dilate(data, [1, 1, *strides], name="data_dilate")
    before = [simplify(size - 1 - head) for size, head in zip(sizes, heads, strict=True)]
    after = [simplify(size - 1 - tail + e) for size, tail, e in zip(sizes, tails, extra, strict=True)]
    padded = pad(dilated, [0, 0, *before], [0, 0, *after], name="data_pad")

    def flip(*i: Expr) -> Expr:
        return kernel(i[1], i[0], *[size - 1 - x for size, x in zip(sizes, i[2:], strict=True)])

    letters = [*names, *"dhw"[3 - count :]]
    shape = (kernel.shape[1], kernel.shape[0], *sizes)
    return padded, compute(shape, flip, name=name, varargs_names=letters)


def conv2d_transpose_nchw_preprocess(
    data: Tensor, kernel: Tensor, strides: Extents, padding: Padding, out_dtype: str, output_padding: Extents
) -> tuple[Tensor, Tensor]:
    """Return the tensor and the kernel whose convolution is the transposed one of two dimensions."""
    where = "nn.conv2d_transpose_nchw_preprocess"
    return _prepare(data, kernel, strides, padding, output_padding, where, "kernel_transform", "oi")


def conv3d_transpose_ncdhw_preprocess(
    data: Tensor, kernel: Tensor, strides: Extents, padding: Padding, out_dtype: str, output_padding: Extents
) -> tuple[Tensor, Tensor]:
    """Return the tensor and the kernel whose convolution is the transposed one of three dimensions."""
    where = "nn.conv3d_transpose_ncdhw_preprocess"
    return _prepare(data, kernel, strides, padding, output_padding, where, "kernel_transform", "oi")


def _transposed(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    out_dtype: str,
    output_padding: Extents,
    groups: int,
    name: str = "kernel_transform",
    names: str = "oi",
) -> Tensor:
    """Return the convolution of a dilated tensor with a flipped kernel, whose channels are exchanged."""
    count = data.ndim - 2
    tag = f"{'group_' if groups > 1 else ''}conv{count}d_transpose_{('ncw', 'nchw', 'ncdhw')[count - 1]}"
    where = f"nn.{tag}"
    batch, channels, *_ = data.shape
    kernel_in, filters, *sizes = kernel.shape
    check_channels(where, channels, None, None, groups)
    if known_int(kernel_in) not in (None, known_int(channels)):
        raise InvalidOperand(where=where, reason=f"{channels} channels, and a kernel of {kernel_in}")
    spatial = list("dhw"[3 - count :])
    padded, flipped = _prepare(data, kernel, stride, padding, output_padding, where, name, names)
    inner = simplify(function("floordiv")(channels, groups))
    dc = reduce_axis((0, inner), "dc")
    over = [reduce_axis((0, size), f"d{letter}") for size, letter in zip(sizes, spatial, strict=True)]
    extents = [simplify(extent - size + 1) for extent, size in zip(padded.shape[2:], sizes, strict=True)]

    def value(*i: Expr) -> Expr:
        sample, c, *position = i
        channel: Expr = dc.var
        number = c
        if groups > 1:
            channel = function("floordiv")(c, filters) * inner + dc.var
            number = function("floormod")(c, filters)
        moved = [x + r.var for x, r in zip(position, over, strict=True)]
        element, weight = padded(sample, channel, *moved), flipped(number, channel, *over)
        return sum_products(out_dtype, element, weight, [dc, *over])

    shape = (batch, simplify(filters * groups), *extents)
    return compute(shape, value, tag=tag, varargs_names=["b", "c", *spatial])


def conv1d_transpose_ncw(
    data: Tensor, kernel: Tensor, stride: Extents, padding: Padding, out_dtype: str, output_padding: Extents
) -> Tensor:
    """Return ONNX's ConvTranspose of one dimension."""
    return group_conv1d_transpose_ncw(data, kernel, stride, padding, out_dtype, output_padding, 1)


def group_conv1d_transpose_ncw(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    out_dtype: str,
    output_padding: Extents,
    groups: int,
) -> Tensor:
    """Return ONNX's ConvTranspose of one dimension in groups."""
    return _transposed(data, kernel, stride, padding, out_dtype, output_padding, groups, "kernel")


def conv2d_transpose_nchw(
    Input: Tensor, Filter: Tensor, strides: Extents, padding: Padding, out_dtype: str, output_padding: Extents
) -> Tensor:
    """Return ONNX's ConvTranspose of two dimensions."""
    return _transposed(Input, Filter, strides, padding, out_dtype, output_padding, 1)


def group_conv2d_transpose_nchw(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    out_dtype: str,
    output_padding: Extents,
    groups: int,
) -> Tensor:
    """Return ONNX's ConvTranspose of two dimensions in groups."""
    names = "oi" if groups == 1 else "io"
    return _transposed(data, kernel, stride, padding, out_dtype, output_padding, groups, names=names)


def conv3d_transpose_ncdhw(
    Input: Tensor, Filter: Tensor, strides: Extents, padding: Padding, out_dtype: str, output_padding: Extents
) -> Tensor:
    """Return ONNX's ConvTranspose of three dimensions."""
    return _transposed(Input, Filter, strides, padding, out_dtype, output_padding, 1)


def group_conv3d_transpose_ncdhw(
    data: Tensor,
    kernel: Tensor,
    strides: Extents,
    padding: Padding,
    out_dtype: str,
    output_padding: Extents,
    groups: int,
) -> Tensor:
    """Return ONNX's ConvTranspose of three dimensions in groups."""
    return _transposed(data, kernel, strides, padding, out_dtype, output_padding, groups)
