"""Convolutions of two dimensions with channels in blocks, and kernels in tiles."""

from __future__ import annotations

from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Index, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import (
    INJECTIVE,
    Extents,
    Padding,
    as_int,
    function,
    known_int,
    product,
    simplify,
    sum_products,
)
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad
from tvmscript.ir.topi.nn.windows import Windows


class _Blocked:
    """The parts of a convolution of two dimensions with channels in blocks: `NCHW4c`, and kernels `OIHW4i8o`."""

    def __init__(
        self, data: Tensor, kernel: Tensor, stride: Extents, padding: Padding, dilation: Extents, where: str
    ) -> None:
        if data.ndim != 5 or kernel.ndim not in (6, 7):
            raise InvalidOperand(where=where, reason="the data have 5 dimensions, the kernel 6, or 7 of int8")
        self.batch, self.outer, height, width, self.block = data.shape
        sizes = kernel.shape[2:4]
        self.windows = Windows(sizes, stride, padding, dilation, where)
        self.out = self.windows.counts((height, width))
        self.source = data
        heads, tails = self.windows.heads, self.windows.tails
        if any(known_int(width) != 0 for width in (*heads, *tails)):
            self.source = pad(data, [0, 0, *heads, 0], [0, 0, *tails, 0], name="data_pad")
        self.taps = [reduce_axis((0, size), name) for size, name in zip(sizes, ("kh", "kw"), strict=True)]

    def read(self, n: Expr, outer: Index, y: Expr, x: Expr, inner: Index) -> Expr:
        """Return an element of the padded data under the taps."""
        return self.source(n, outer, *self.windows.places((y, x), self.taps), inner)


def conv2d_NCHWc(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    layout: str,
    out_layout: str,
    out_dtype: str = "float32",
) -> Tensor:
    """Return ONNX's Conv of two dimensions with channels in blocks: `NCHW4c`, and kernels `OIHW4i8o`."""
    parts = _Blocked(data, kernel, stride, padding, dilation, "nn.conv2d_NCHWc")
    out_outer, kernel_outer, _, _, kernel_block, out_block = kernel.shape
    groups = _known_quotient(parts.outer, kernel_outer, parts.block, kernel_block)
    total = kernel_outer * kernel_block
    ic = reduce_axis((0, total), "ic")
    divide, remainder = function("indexdiv"), function("indexmod")

    def value(n: Expr, oc: Expr, oh: Expr, ow: Expr, inner: Expr) -> Expr:
        channel: Expr = ic.var
        if groups > 1:
            channel = divide(oc, divide(out_outer, groups)) * total + ic.var
        element = parts.read(n, divide(channel, parts.block), oh, ow, remainder(channel, parts.block))
        weight = kernel(oc, divide(ic, kernel_block), *parts.taps, remainder(ic, kernel_block), inner)
        return sum_products(out_dtype, element, weight, [ic, *parts.taps])

    shape = (parts.batch, out_outer, *parts.out, out_block)
    return compute(shape, value, name="conv2d_NCHWc", tag="conv2d_NCHWc")


def conv2d_NCHWc_int8(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    layout: str,
    out_layout: str,
    out_dtype: str = "int32",
    n_elems: int = 4,
) -> Tensor:
    """Return ONNX's Conv of two dimensions with channels in blocks; kernels `OIHW1i8o4i` hold `n_elems` for a dot."""
    parts = _Blocked(data, kernel, stride, padding, dilation, "nn.conv2d_NCHWc_int8")
    out_outer, kernel_outer, _, _, kernel_block, out_block, count = kernel.shape
    groups = _known_quotient(parts.outer, kernel_outer, 1, 1)
    outer = reduce_axis((0, kernel_outer), "ic_outer")
    block = reduce_axis((0, kernel_block), "ic_f_inner")
    inner = reduce_axis((0, count), "ic_s_inner")

    def value(*i: Expr) -> Expr:
        n, oc, oh, ow, oc_block = i
        chunk: Expr = outer.var
        if groups > 1:
            chunk = function("indexdiv")(oc, function("indexdiv")(out_outer, groups)) * kernel_outer + outer.var
        element = parts.read(n, chunk, oh, ow, block.var * n_elems + inner.var)
        weight = kernel(oc, outer, *parts.taps, block, oc_block, inner)
        over = [*parts.taps, outer, block, inner]
        return sum_products(out_dtype, element, weight, over)

    return compute(
        (parts.batch, out_outer, *parts.out, out_block),
        value,
        name="conv2d_NCHWc_int8",
        tag="conv2d_NCHWc_int8",
        attrs={"schedule_rule": "conv2d_NCHWc_int8"},
        varargs_names=["n", "oc_chunk" if groups == 1 else "occ", "oh", "ow", "oc_block"],
    )


def depthwise_conv2d_NCHWc(
    Input: Tensor,
    Filter: Tensor,
    stride: Extents,
    padding: Padding,
    dilation: Extents,
    layout: str,
    out_layout: str,
    out_dtype: str | None = None,
) -> Tensor:
    """Return ONNX's Conv of two dimensions with a group for each channel, in blocks; kernels are `OIHW1i4o`."""
    parts = _Blocked(Input, Filter, stride, padding, dilation, "nn.depthwise_conv2d_NCHWc")
    out_outer, out_block = Filter.shape[0], Filter.shape[5]
    dtype = Input.dtype if out_dtype is None else out_dtype
    multiplier = _known_quotient(out_outer, parts.outer, out_block, parts.block)
    divide, remainder = function("indexdiv"), function("indexmod")

    def value(n: Expr, oc: Expr, oh: Expr, ow: Expr, inner: Expr) -> Expr:
        channel = divide(oc * out_block + inner, multiplier)
        element = parts.read(n, divide(channel, parts.block), oh, ow, remainder(channel, parts.block))
        weight = Filter(oc, 0, *parts.taps, 0, inner)
        return sum_products(dtype, element, weight, parts.taps)

    shape = (parts.batch, out_outer, *parts.out, out_block)
    return compute(shape, value, name="DepthwiseConv2d", tag="depthwise_conv2d_NCHWc")


def unpack_NCHWc_to_nchw(packed_out: Tensor, out_dtype: str) -> Tensor:
    """Return a tensor with its blocks of channels, the last dimension, joined in the second one."""
    batch, outer, height, width, block = packed_out.shape

    def value(n: Expr, c: Expr, h: Expr, w: Expr) -> Expr:
        element = packed_out(n, function("indexdiv")(c, block), h, w, function("indexmod")(c, block))
        return cast_expr(out_dtype, element)

    shape = (batch, simplify(outer * block), height, width)
    return compute(shape, value, name="output_unpack", tag=f"{INJECTIVE},unpack_nchwc")


def conv2d_gemm_weight_transform(
    kernel: Tensor, tile_N: int, tile_K: int, use_scalable_vectors: bool = False
) -> Tensor:
    """Return a kernel "HWIO" as a matrix in tiles for a matrix product, padded to whole tiles, of rows to four."""
    where = "nn.conv2d_gemm_weight_transform"
    if use_scalable_vectors:
        raise InvalidOperand(where=where, reason="tiles have a known size, so vectors are not scalable")
    _, kw, channels, filters = kernel.shape
    divide, remainder = function("indexdiv"), function("indexmod")
    rows = as_int(simplify(product(kernel.shape[:3])), where)
    columns = as_int(filters, where)
    row = kw * channels

    def flat(x: Expr, y: Expr) -> Expr:
        return kernel(divide(x, row), divide(remainder(x, row), channels), remainder(x, channels), y)

    matrix = compute((rows, columns), flat, "weight_flatten")
    tails = [-rows % (4 * tile_K), -columns % tile_N]
    if any(tails):
        matrix = pad(matrix, [0, 0], tails, name="weight_padding")

    # tiles of bytes are transposed
    is_byte = kernel.dtype.bits == 8

    def tiled(x: Expr, y: Expr, *inner: Expr) -> Expr:
        w, z = inner if is_byte else inner[::-1]
        return matrix(z + tile_K * y, w + tile_N * x)

    tile = (tile_N, tile_K) if is_byte else (tile_K, tile_N)
    shape = ((columns + tails[1]) // tile_N, (rows + tails[0]) // tile_K, *tile)
    return compute(shape, tiled, name="weight_block_reshape", varargs_names=["z", "w"])


def _known_quotient(outer: Extent, kernel_outer: Extent, block: Extent, kernel_block: Extent) -> int:
    values = [known_int(extent) for extent in (outer, block, kernel_outer, kernel_block)]
    if None in values:
        return 1
    a, b, c, d = (value or 1 for value in values)
    return a * b // (c * d)
