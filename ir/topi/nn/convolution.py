"""Convolutions of 1, 2 and 3 dimensions: in groups, dilated, depthwise, in blocks of channels, transposed."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import LAYOUT_FREE, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import INJECTIVE, as_int, function, known_int, product, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import dilate, pad
from tvmscript.ir.topi.nn.windows import SPATIAL, Windows, each, pad_tuple, relayout


def _default_kernel_layout(data_layout: str) -> str:
    spatial = "".join(letter for letter in data_layout if letter in SPATIAL)
    if data_layout.startswith("NC"):
        return f"OI{spatial}"
    return f"{spatial}IO"


def conv(
    inp: Tensor,
    filt: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    data_layout: str,
    kernel_layout: str = "",
    out_dtype: str | None = None,
    auto_scheduler_rewritten_layout: str | None = None,
    meta_schedule_original_shape: Any = None,
    auto_scheduler_should_rewrite_layout: bool = False,
) -> Any:
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
    _check_channels(where, channels, inner, filters, groups)
    windows = Windows(kernel, stride, padding, dilation, where)
    before, after = (relayout([0, 0, *widths], order, data_layout) for widths in (windows.heads, windows.tails))
    padded = pad(inp, before, after, name="pad_temp")
    divide = function("floordiv")
    rc = reduce_axis((0, simplify(divide(channels, groups))), "rc")
    over = [reduce_axis((0, size), f"r{letter}") for size, letter in zip(kernel, "yxz", strict=False)]
    # in the order of the layout but for its first letter, which TVM takes to be N
    rest = data_layout[1:]
    axes = relayout([rc, *over], "".join(sorted(rest, key=order.index)), rest)

    def value(*i: Expr) -> Any:
        sample, f, *position = relayout(i, data_layout, order)
        channel: Any = rc
        if groups > 1:
            channel = divide(f, divide(filters, groups)) * divide(channels, groups) + rc.var
        indices = [sample, channel, *windows.places(position, over)]
        element: Any = cast_expr(dtype, padded(*relayout(indices, order, data_layout)))
        weight = filt(*relayout([f, rc, *over], kernel_order, kernel_layout))
        return reduction.sum(element * cast_expr(dtype, weight), axis=axes)

    name = f"group_{kind}" if groups > 1 else kind
    return compute(
        relayout([batch, filters, *windows.counts(extents)], order, data_layout),
        value,
        name=name,
        tag=name,
        attrs={LAYOUT_FREE: [filt]} if auto_scheduler_should_rewrite_layout else None,
        varargs_names=relayout(["nn", "ff", "yy", "xx", "zz"], order, data_layout),
    )


def _check_channels(where: str, channels: Any, inner: Any, filters: Any, groups: int) -> None:
    known = [None if item is None else known_int(item) for item in (channels, inner, filters)]
    if known[0] is not None and (known[0] % groups or known[1] not in (None, known[0] // groups)):
        reason = f"{known[0]} channels in {groups} groups are not those of the kernel, {known[1]}"
        raise InvalidOperand(where=where, reason=reason)
    if known[2] is not None and known[2] % groups:
        raise InvalidOperand(where=where, reason=f"{known[2]} filters are not {groups} equal groups")


def conv1d(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = "VALID",
    dilation: Any = 1,
    groups: int = 1,
    data_layout: str = "NCW",
    kernel_layout: str = "",
    out_dtype: str | None = None,
) -> Any:
    """Return ONNX's Conv of one dimension."""
    return conv(data, kernel, strides, padding, dilation, groups, data_layout, kernel_layout, out_dtype)


def conv1d_ncw(
    data: Tensor, kernel: Tensor, strides: Any = 1, padding: Any = "VALID", dilation: Any = 1, out_dtype: Any = None
) -> Any:
    """Return ONNX's Conv of one dimension, channels second."""
    return conv(data, kernel, strides, padding, dilation, 1, "NCW", "", out_dtype)


def conv1d_nwc(
    data: Tensor, kernel: Tensor, strides: Any = 1, padding: Any = "VALID", dilation: Any = 1, out_dtype: Any = None
) -> Any:
    """Return ONNX's Conv of one dimension, channels last."""
    return conv(data, kernel, strides, padding, dilation, 1, "NWC", "", out_dtype)


def group_conv1d_ncw(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = "VALID",
    dilation: Any = 1,
    groups: int = 1,
    out_dtype: Any = None,
) -> Any:
    """Return ONNX's Conv of one dimension in groups, channels second."""
    return conv(data, kernel, strides, padding, dilation, groups, "NCW", "", out_dtype)


def group_conv1d_nwc(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = "VALID",
    dilation: Any = 1,
    groups: int = 1,
    out_dtype: Any = None,
) -> Any:
    """Return ONNX's Conv of one dimension in groups, channels last."""
    return conv(data, kernel, strides, padding, dilation, groups, "NWC", "", out_dtype)


def conv2d(
    input: Tensor,
    filter: Tensor,
    strides: Any,
    padding: Any,
    dilation: Any,
    data_layout: str = "NCHW",
    kernel_layout: str = "",
    out_dtype: Any = None,
) -> Any:
    """Return ONNX's Conv of two dimensions."""
    return conv(input, filter, strides, padding, dilation, 1, data_layout, kernel_layout, out_dtype)


def conv2d_nchw(Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, out_dtype: Any = None) -> Any:
    """Return ONNX's Conv of two dimensions, channels second."""
    return conv(Input, Filter, stride, padding, dilation, 1, "NCHW", "", out_dtype)


def conv2d_hwcn(Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, out_dtype: Any = None) -> Any:
    """Return ONNX's Conv of two dimensions, batch last."""
    return conv(Input, Filter, stride, padding, dilation, 1, "HWCN", "", out_dtype)


def conv2d_nhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    out_dtype: Any = "float32",
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: Any = None,
) -> Any:
    """Return ONNX's Conv of two dimensions, channels last."""
    return conv(
        Input, Filter, stride, padding, dilation, 1, "NHWC", "", out_dtype, auto_scheduler_should_rewrite_layout=True
    )


def group_conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, groups: int, out_dtype: Any = None
) -> Any:
    """Return ONNX's Conv of two dimensions in groups, channels second."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NCHW", "", out_dtype)


def group_conv2d_nhwc(
    Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, groups: int, out_dtype: Any = None
) -> Any:
    """Return ONNX's Conv of two dimensions in groups, channels last."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NHWC", "", out_dtype)


def conv3d_ncdhw(
    Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, groups: int, out_dtype: Any = None
) -> Any:
    """Return ONNX's Conv of three dimensions, channels second."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NCDHW", "", out_dtype)


def conv3d_ndhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    out_dtype: Any = "float32",
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_origin_shape: Any = None,
) -> Any:
    """Return ONNX's Conv of three dimensions, channels last."""
    return conv(Input, Filter, stride, padding, dilation, groups, "NDHWC", "", out_dtype)


class _Blocked:
    """The parts of a convolution of two dimensions with channels in blocks: `NCHW4c`, and kernels `OIHW4i8o`."""

    def __init__(self, data: Tensor, kernel: Tensor, stride: Any, padding: Any, dilation: Any, where: str) -> None:
        if data.ndim != 5 or kernel.ndim not in (6, 7):
            raise InvalidOperand(where=where, reason="the data have 5 dimensions, the kernel 6, or 7 of int8")
        self.batch, self.outer, height, width, self.block = data.shape
        sizes = kernel.shape[2:4]
        self.windows = Windows(sizes, stride, padding, dilation, where)
        self.out = self.windows.counts((height, width))
        self.source = data
        heads, tails = self.windows.heads, self.windows.tails
        if any(known_int(item) != 0 for item in (*heads, *tails)):
            self.source = pad(data, [0, 0, *heads, 0], [0, 0, *tails, 0], name="data_pad")
        self.taps = [reduce_axis((0, size), name) for size, name in zip(sizes, ("kh", "kw"), strict=True)]

    def read(self, n: Expr, outer: Any, y: Any, x: Any, inner: Any) -> Any:
        """Return an element of the padded data under the taps."""
        return self.source(n, outer, *self.windows.places((y, x), self.taps), inner)


def conv2d_NCHWc(
    data: Tensor,
    kernel: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    layout: str,
    out_layout: str,
    out_dtype: Any = "float32",
) -> Any:
    """Return ONNX's Conv of two dimensions with channels in blocks: `NCHW4c`, and kernels `OIHW4i8o`."""
    parts = _Blocked(data, kernel, stride, padding, dilation, "nn.conv2d_NCHWc")
    out_outer, kernel_outer, _, _, kernel_block, out_block = kernel.shape
    groups = _known_quotient(parts.outer, kernel_outer, parts.block, kernel_block)
    total: Any = kernel_outer * kernel_block
    ic = reduce_axis((0, total), "ic")
    divide, remainder = function("indexdiv"), function("indexmod")

    def value(n: Expr, oc: Expr, oh: Expr, ow: Expr, inner: Expr) -> Any:
        channel: Any = ic.var
        if groups > 1:
            channel = divide(oc, divide(out_outer, groups)) * total + ic.var
        element = parts.read(n, divide(channel, parts.block), oh, ow, remainder(channel, parts.block))
        weight = kernel(oc, divide(ic, kernel_block), *parts.taps, remainder(ic, kernel_block), inner)
        return reduction.sum(cast_expr(out_dtype, element) * cast_expr(out_dtype, weight), axis=[ic, *parts.taps])

    shape = (parts.batch, out_outer, *parts.out, out_block)
    return compute(shape, value, name="conv2d_NCHWc", tag="conv2d_NCHWc")


def conv2d_NCHWc_int8(
    data: Tensor,
    kernel: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    layout: str,
    out_layout: str,
    out_dtype: Any = "int32",
    n_elems: int = 4,
) -> Any:
    """Return ONNX's Conv of two dimensions with channels in blocks; kernels `OIHW1i8o4i` hold `n_elems` for a dot."""
    parts = _Blocked(data, kernel, stride, padding, dilation, "nn.conv2d_NCHWc_int8")
    out_outer, kernel_outer, _, _, kernel_block, out_block, count = kernel.shape
    groups = _known_quotient(parts.outer, kernel_outer, 1, 1)
    outer = reduce_axis((0, kernel_outer), "ic_outer")
    block = reduce_axis((0, kernel_block), "ic_f_inner")
    inner = reduce_axis((0, count), "ic_s_inner")

    def value(*i: Expr) -> Any:
        n, oc, oh, ow, oc_block = i
        chunk: Any = outer.var
        if groups > 1:
            chunk = function("indexdiv")(oc, function("indexdiv")(out_outer, groups)) * kernel_outer + outer.var
        element = parts.read(n, chunk, oh, ow, block.var * n_elems + inner.var)
        weight = kernel(oc, outer, *parts.taps, block, oc_block, inner)
        over = [*parts.taps, outer, block, inner]
        return reduction.sum(cast_expr(out_dtype, element) * cast_expr(out_dtype, weight), axis=over)

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
    stride: Any,
    padding: Any,
    dilation: Any,
    layout: str,
    out_layout: str,
    out_dtype: Any = None,
) -> Any:
    """Return ONNX's Conv of two dimensions with a group for each channel, in blocks; kernels are `OIHW1i4o`."""
    parts = _Blocked(Input, Filter, stride, padding, dilation, "nn.depthwise_conv2d_NCHWc")
    out_outer, out_block = Filter.shape[0], Filter.shape[5]
    dtype = Input.dtype if out_dtype is None else out_dtype
    multiplier = _known_quotient(out_outer, parts.outer, out_block, parts.block)
    divide, remainder = function("indexdiv"), function("indexmod")

    def value(n: Expr, oc: Expr, oh: Expr, ow: Expr, inner: Expr) -> Any:
        channel = divide(oc * out_block + inner, multiplier)
        element = parts.read(n, divide(channel, parts.block), oh, ow, remainder(channel, parts.block))
        weight = Filter(oc, 0, *parts.taps, 0, inner)
        return reduction.sum(cast_expr(dtype, element) * cast_expr(dtype, weight), axis=parts.taps)

    shape = (parts.batch, out_outer, *parts.out, out_block)
    return compute(shape, value, name="DepthwiseConv2d", tag="depthwise_conv2d_NCHWc")


def unpack_NCHWc_to_nchw(packed_out: Tensor, out_dtype: Any) -> Any:
    """Return a tensor with its blocks of channels, the last dimension, joined in the second one."""
    batch, outer, height, width, block = packed_out.shape

    def value(n: Expr, c: Expr, h: Expr, w: Expr) -> Any:
        element = packed_out(n, function("indexdiv")(c, block), h, w, function("indexmod")(c, block))
        return cast_expr(out_dtype, element)

    shape = (batch, simplify(outer * block), height, width)
    return compute(shape, value, name="output_unpack", tag=f"{INJECTIVE},unpack_nchwc")


def conv2d_gemm_weight_transform(kernel: Tensor, tile_N: int, tile_K: int, use_scalable_vectors: bool = False) -> Any:
    """Return a kernel "HWIO" as a matrix in tiles for a matrix product, padded to whole tiles, of rows to four."""
    where = "nn.conv2d_gemm_weight_transform"
    if use_scalable_vectors:
        raise InvalidOperand(where=where, reason="tiles have a known size, so vectors are not scalable")
    _, kw, channels, filters = kernel.shape
    divide, remainder = function("indexdiv"), function("indexmod")
    rows = as_int(simplify(product(kernel.shape[:3])), where)
    columns = as_int(filters, where)
    row: Any = kw * channels

    def flat(x: Expr, y: Expr) -> Any:
        return kernel(divide(x, row), divide(remainder(x, row), channels), remainder(x, channels), y)

    matrix = compute((rows, columns), flat, "weight_flatten")
    tails = [-rows % (4 * tile_K), -columns % tile_N]
    if any(tails):
        matrix = pad(matrix, [0, 0], tails, name="weight_padding")

    # tiles of bytes are transposed
    is_byte = kernel.dtype.bits == 8

    def tiled(x: Any, y: Any, *inner: Any) -> Any:
        w, z = inner if is_byte else inner[::-1]
        return matrix(z + tile_K * y, w + tile_N * x)

    tile = (tile_N, tile_K) if is_byte else (tile_K, tile_N)
    shape = ((columns + tails[1]) // tile_N, (rows + tails[0]) // tile_K, *tile)
    return compute(shape, tiled, name="weight_block_reshape", varargs_names=["z", "w"])


def _known_quotient(outer: Any, kernel_outer: Any, block: Any, kernel_block: Any) -> int:
    values = [known_int(item) for item in (outer, block, kernel_outer, kernel_block)]
    if None in values:
        return 1
    a, b, c, d = (value or 1 for value in values)
    return a * b // (c * d)


def _depthwise(
    Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, out_dtype: Any, layout: str, kernel: str
) -> Any:
    where = f"nn.depthwise_conv2d_{layout.lower()}"
    dtype = Input.dtype if out_dtype is None else out_dtype
    batch, channels, *extents = relayout(Input.shape, layout, "NCHW")
    filters, multiplier, *sizes = relayout(Filter.shape, kernel, "OIHW")
    windows = Windows(sizes, stride, padding, dilation, where)
    before, after = (relayout([0, 0, *widths], "NCHW", layout) for widths in (windows.heads, windows.tails))
    padded = pad(Input, before, after, name="PaddedInput")
    over = [reduce_axis((0, size), name) for size, name in zip(sizes, ("di", "dj"), strict=True)]
    known = known_int(filters)
    if known is not None and known_int(channels) not in (None, known):
        raise InvalidOperand(where=where, reason=f"{channels} channels, and a kernel of {known}")

    def value(*i: Expr) -> Any:
        sample, c, *position = relayout(i, layout, "NCHW")
        source, number = function("indexdiv")(c, multiplier), function("indexmod")(c, multiplier)
        indices = [sample, source, *windows.places(position, over)]
        element: Any = cast_expr(dtype, padded(*relayout(indices, "NCHW", layout)))
        weight = Filter(*relayout([source, number, *over], "OIHW", kernel))
        return reduction.sum(element * cast_expr(dtype, weight), axis=over)

    return compute(
        relayout([batch, simplify(channels * multiplier), *windows.counts(extents)], "NCHW", layout),
        value,
        name="DepthwiseConv2d",
        tag=f"depthwise_conv2d_{layout.lower()}",
        varargs_names=relayout("bcij", "NCHW", layout),
    )


def depthwise_conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Any, padding: Any, dilation: Any, out_dtype: Any = None
) -> Any:
    """Return ONNX's Conv of two dimensions with a group for each channel, channels second."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NCHW", "OIHW")


def depthwise_conv2d_nhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    kernel_layout: str = "HWOI",
    out_dtype: Any = None,
) -> Any:
    """Return ONNX's Conv of two dimensions with a group for each channel, channels last."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NHWC", kernel_layout)


def depthwise_conv2d_backward_input_nhwc(
    Filter: Tensor, Out_grad: Tensor, oshape: Any, ishape: Any, stride: Any, padding: Any
) -> Any:
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

    def value(b: Any, h: Any, w: Any, c: Any) -> Any:
        grad = padded(b, h + dh.var, w + dw.var, c * multiplier + dc.var)
        return reduction.sum(grad * Filter(sizes[0] - 1 - dh.var, sizes[1] - 1 - dw.var, c, dc), axis=[dh, dw, dc])

    shape = (batch, height, width, channels)
    return compute(shape, value, tag="depthwise_conv2d_backward_input_nhwc")


def depthwise_conv2d_backward_weight_nhwc(
    Input: Tensor, Out_grad: Tensor, oshape: Any, fshape: Any, stride: Any, padding: Any
) -> Any:
    """Return the gradient of a depthwise convolution "NHWC" in its kernel "HWIM"."""
    where = "nn.depthwise_conv2d_backward_weight_nhwc"
    batch, height, width, _ = oshape
    *sizes, _, multiplier = fshape
    strides = each(stride, 2, where)
    heads, tails = pad_tuple(padding, sizes, where)
    padded = pad(Input, [0, *heads, 0], [0, *tails, 0], name="padded_in")
    db, dh, dw = (reduce_axis((0, size), axis) for size, axis in ((batch, "db"), (height, "dh"), (width, "dw")))

    def value(fh: Any, fw: Any, c: Any, m: Any) -> Any:
        grad = Out_grad(db, dh, dw, c * multiplier + function("indexmod")(m, multiplier))
        element = padded(db, dh.var * strides[0] + fh, dw.var * strides[1] + fw, c)
        return reduction.sum(grad * element, axis=[db, dh, dw])

    return compute(fshape, value, tag="depthwise_conv2d_backward_weight_nhwc")


def _prepare(
    data: Tensor, kernel: Tensor, stride: Any, padding: Any, output_padding: Any, where: str, name: str, names: str
) -> tuple[Any, Any]:
    """Return the dilated and padded tensor, and the flipped kernel with its channels exchanged."""
    count = data.ndim - 2
    sizes = kernel.shape[2:]
    strides, extra = each(stride, count, where), each(output_padding, count, where)
    heads, tails = pad_tuple(padding, sizes, where)
    dilated = dilate(data, [1, 1, *strides], name="data_dilate")
    before = [0, 0, *[simplify(size - 1 - head) for size, head in zip(sizes, heads, strict=True)]]
    after = [0, 0, *[simplify(size - 1 - tail + e) for size, tail, e in zip(sizes, tails, extra, strict=True)]]
    padded = pad(dilated, before, after, name="data_pad")

    def flip(*i: Any) -> Any:
        return kernel(i[1], i[0], *[size - 1 - x for size, x in zip(sizes, i[2:], strict=True)])

    letters = [*names, *"dhw"[3 - count :]]
    shape = (kernel.shape[1], kernel.shape[0], *sizes)
    return padded, compute(shape, flip, name=name, varargs_names=letters)


def conv2d_transpose_nchw_preprocess(
    data: Tensor, kernel: Tensor, strides: Any, padding: Any, out_dtype: Any, output_padding: Any
) -> tuple[Any, Any]:
    """Return the tensor and the kernel whose convolution is the transposed one of two dimensions."""
    where = "nn.conv2d_transpose_nchw_preprocess"
    return _prepare(data, kernel, strides, padding, output_padding, where, "kernel_transform", "oi")


def conv3d_transpose_ncdhw_preprocess(
    data: Tensor, kernel: Tensor, strides: Any, padding: Any, out_dtype: Any, output_padding: Any
) -> tuple[Any, Any]:
    """Return the tensor and the kernel whose convolution is the transposed one of three dimensions."""
    where = "nn.conv3d_transpose_ncdhw_preprocess"
    return _prepare(data, kernel, strides, padding, output_padding, where, "kernel_transform", "oi")


def _transposed(
    data: Tensor,
    kernel: Tensor,
    stride: Any,
    padding: Any,
    out_dtype: Any,
    output_padding: Any,
    groups: int,
    name: str = "kernel_transform",
    names: str = "oi",
) -> Any:
    """Return the convolution of a dilated tensor with a flipped kernel, whose channels are exchanged."""
    count = data.ndim - 2
    tag = f"{'group_' if groups > 1 else ''}conv{count}d_transpose_{('ncw', 'nchw', 'ncdhw')[count - 1]}"
    where = f"nn.{tag}"
    batch, channels, *_ = data.shape
    kernel_in, filters, *sizes = kernel.shape
    _check_channels(where, channels, None, None, groups)
    if known_int(kernel_in) not in (None, known_int(channels)):
        raise InvalidOperand(where=where, reason=f"{channels} channels, and a kernel of {kernel_in}")
    spatial = list("dhw"[3 - count :])
    padded, flipped = _prepare(data, kernel, stride, padding, output_padding, where, name, names)
    inner = simplify(function("floordiv")(channels, groups))
    dc = reduce_axis((0, inner), "dc")
    over = [reduce_axis((0, size), f"d{letter}") for size, letter in zip(sizes, spatial, strict=True)]
    extents = [simplify(extent - size + 1) for extent, size in zip(padded.shape[2:], sizes, strict=True)]

    def value(*i: Expr) -> Any:
        sample, c, *position = i
        channel: Any = dc.var
        number: Any = c
        if groups > 1:
            channel = function("floordiv")(c, filters) * inner + dc.var
            number = function("floormod")(c, filters)
        moved = [x + r.var for x, r in zip(position, over, strict=True)]
        element: Any = cast_expr(out_dtype, padded(sample, channel, *moved))
        return reduction.sum(element * cast_expr(out_dtype, flipped(number, channel, *over)), axis=[dc, *over])

    shape = (batch, simplify(filters * groups), *extents)
    return compute(shape, value, tag=tag, varargs_names=["b", "c", *spatial])


def conv1d_transpose_ncw(
    data: Tensor, kernel: Tensor, stride: Any, padding: Any, out_dtype: Any, output_padding: Any
) -> Any:
    """Return ONNX's ConvTranspose of one dimension."""
    return group_conv1d_transpose_ncw(data, kernel, stride, padding, out_dtype, output_padding, 1)


def group_conv1d_transpose_ncw(
    data: Tensor, kernel: Tensor, stride: Any, padding: Any, out_dtype: Any, output_padding: Any, groups: int
) -> Any:
    """Return ONNX's ConvTranspose of one dimension in groups."""
    return _transposed(data, kernel, stride, padding, out_dtype, output_padding, groups, "kernel")


def conv2d_transpose_nchw(
    Input: Tensor, Filter: Tensor, strides: Any, padding: Any, out_dtype: Any, output_padding: Any
) -> Any:
    """Return ONNX's ConvTranspose of two dimensions."""
    return _transposed(Input, Filter, strides, padding, out_dtype, output_padding, 1)


def group_conv2d_transpose_nchw(
    data: Tensor, kernel: Tensor, stride: Any, padding: Any, out_dtype: Any, output_padding: Any, groups: int
) -> Any:
    """Return ONNX's ConvTranspose of two dimensions in groups."""
    names = "oi" if groups == 1 else "io"
    return _transposed(data, kernel, stride, padding, out_dtype, output_padding, groups, names=names)


def conv3d_transpose_ncdhw(
    Input: Tensor, Filter: Tensor, strides: Any, padding: Any, out_dtype: Any, output_padding: Any
) -> Any:
    """Return ONNX's ConvTranspose of three dimensions."""
    return _transposed(Input, Filter, strides, padding, out_dtype, output_padding, 1)


def group_conv3d_transpose_ncdhw(
    data: Tensor, kernel: Tensor, strides: Any, padding: Any, out_dtype: Any, output_padding: Any, groups: int
) -> Any:
    """Return ONNX's ConvTranspose of three dimensions in groups."""
    return _transposed(data, kernel, strides, padding, out_dtype, output_padding, groups)
