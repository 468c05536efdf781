"""Convolutions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.operators.windows import LAYOUTS, Window, window_of
from tvmscript.frontend.onnx.values import (
    Array,
    Size,
    array_of,
    dtype_of,
    product,
    rank_of,
    scalar,
    shape_expr,
    sizes_of,
    stored_array,
)
from tvmscript.frontend.rounding import is_narrow
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant
from tvmscript.language import R

_CONV: Final = {1: R.nn.conv1d, 2: R.nn.conv2d, 3: R.nn.conv3d}
#: added to int8 it gives uint8
_SIGN: Final = 128
_TRANSPOSED: Final = {1: R.nn.conv1d_transpose, 2: R.nn.conv2d_transpose, 3: R.nn.conv3d_transpose}


def convolve(node: Node, x: RelaxExpr, weight: RelaxExpr) -> RelaxExpr:
    """Return the convolution that the attributes of a node say; sums of 16-bit floats are those of float32."""
    result = _convolve(node, x, weight, _window_of(node, x, weight), "float32" if is_narrow(x) else None)
    return R.astype(result, dtype_of(x)) if is_narrow(x) else result


def _window_of(node: Node, x: RelaxExpr, weight: RelaxExpr) -> Window:
    return window_of(node, sizes_of(x)[2:], node.static(sizes_of(weight)[2:], "its window"))


def _convolve(node: Node, x: RelaxExpr, weight: RelaxExpr, window: Window, dtype: str | None) -> RelaxExpr:
    letters = window.layout
    return _CONV[window.rank](
        x,
        weight,
        strides=window.strides,
        padding=window.pads,
        dilation=window.dilations,
        groups=node.integer("group", 1),
        data_layout=letters,
        kernel_layout=letters.replace("C", "I").replace("N", "O"),
        out_dtype=dtype,
    )


def integer_convolution(
    node: Node, x: RelaxExpr, weight: RelaxExpr, zero_x: RelaxExpr | None, zero_w: RelaxExpr | None
) -> RelaxExpr:
    """Return the convolution of integers without their zero points, in int32.

    Integers of 8 bits are multiplied as they are, which processors have instructions for, and what the zero point of x
    adds is subtracted: (x - zx) * w = x * w - zx * sum(w). Borders hold zx. That needs weights and zero points that are
    known, and weights that have 8 bits without their zero points.
    """
    window, narrow = _window_of(node, x, weight), _narrow_weights(weight, zero_w)
    origin = np.zeros((), "int64") if zero_x is None else array_of(zero_x)
    if narrow is None or origin is None or origin.size != 1 or dtype_of(x) not in ("int8", "uint8"):
        wide_x, wide_w = (_without_zero(*each) for each in ((x, zero_x), (weight, zero_w)))
        return _convolve(node, wide_x, wide_w, window, None)
    zero = int(origin.reshape(()))
    if dtype_of(x) == "int8":
        # instructions multiply unsigned numbers by signed ones
        x, zero = R.bitwise_xor(R.astype(x, "uint8"), R.const(_SIGN, "uint8")), zero + _SIGN
    if zero and any(window.pads):
        rank = window.rank
        borders = [width for pair in zip(window.pads[:rank], window.pads[rank:], strict=True) for width in pair]
        x = R.nn.pad(x, [0, 0, 0, 0, *borders], R.const(zero, "uint8"))
        window = replace(window, pads=[0] * 2 * rank)
    total = _convolve(node, x, R.const(narrow), window, "int32")
    sums = narrow.astype("int32").sum(tuple(range(1, narrow.ndim))) * zero
    return R.subtract(total, R.const(sums.astype("int32").reshape(1, -1, *[1] * window.rank))) if sums.any() else total


def _narrow_weights(weight: RelaxExpr, zero: RelaxExpr | None) -> Array | None:
    """Return weights without their zero points where they are known and have 8 bits, else None."""
    elements = stored_array(weight) if isinstance(weight, Constant) else None
    origin = np.zeros((), "int64") if zero is None else array_of(zero)
    if elements is None or origin is None:
        return None
    wide = elements.astype("int64") - origin.reshape(-1, *[1] * (elements.ndim - 1))
    return wide.astype("int8") if wide.min(initial=0) >= -_SIGN and wide.max(initial=0) < _SIGN else None


def _without_zero(x: RelaxExpr, zero: RelaxExpr | None) -> RelaxExpr:
    """Return integers minus the zero point of all or of each row, in int32."""
    wide = R.astype(x, "int32")
    if zero is None:
        return wide
    count = product(sizes_of(zero))
    shape = [] if count == 1 else [count, *[1] * (rank_of(x) - 1)]
    return R.subtract(wide, R.reshape(R.astype(zero, "int32"), shape_expr(shape)))


def with_bias(result: RelaxExpr, bias: RelaxExpr | None) -> RelaxExpr:
    """Return the result with a number added to each channel."""
    if bias is None:
        return result
    return R.add(result, R.reshape(bias, shape_expr([1, *sizes_of(bias), *[1] * (rank_of(result) - 2)])))


@operator("Conv")
def conv(context: Context, node: Node) -> RelaxExpr:
    """Return a convolution with an optional bias."""
    result = _dequantized_convolution(context, node)
    if result is not None:
        return context.rounded(with_bias(result, node.optional(2)))
    return with_bias(convolve(node, node.tensor(0), node.tensor(1)), node.optional(2))


def _dequantized_convolution(context: Context, node: Node) -> RelaxExpr | None:
    """Return the convolution of tensors that are dequantized, by one scale of data, and one or those of channels."""
    inputs = context.dequantized_inputs(node)
    if inputs is None:
        return None
    x, weight = inputs
    if x.axis is not None or weight.axis not in (None, 0):
        return None
    total = integer_convolution(node, x.x, weight.x, x.zero, weight.zero)
    shape = shape_expr([1, product(sizes_of(weight.scale)), *[1] * (rank_of(total) - 2)])
    scales = R.multiply(R.reshape(weight.scale, shape), R.reshape(x.scale, shape_expr([])))
    return R.multiply(R.astype(total, "float32"), scales)


@operator("ConvInteger")
def conv_integer(context: Context, node: Node) -> RelaxExpr:
    """Return the convolution of integers without their zero points, in int32."""
    return integer_convolution(node, node.tensor(0), node.tensor(1), node.optional(2), node.optional(3))


@operator("ConvTranspose")
def conv_transpose(context: Context, node: Node) -> RelaxExpr:
    """Return the transposed convolution with an optional bias."""
    x, weight = node.tensor(0), node.tensor(1)
    sizes = sizes_of(x)[2:]
    kernel = node.integers("kernel_shape", node.static(sizes_of(weight)[2:], "its window"))
    rank = len(kernel)
    if rank not in LAYOUTS:
        raise node.invalid(f"it has {rank} spatial dimensions")
    strides, dilations = node.integers("strides", [1] * rank), node.integers("dilations", [1] * rank)
    window = Window(kernel, strides, dilations, node.integers("pads", [0] * 2 * rank))
    extra = node.integers("output_padding", [0] * rank)
    wanted = _wanted(node, sizes, strides)
    if wanted is not None:
        window, extra = _fitted(node, window, sizes, wanted, extra)
    letters = window.layout
    result = _TRANSPOSED[rank](
        x,
        weight,
        strides=strides,
        padding=window.pads,
        output_padding=extra,
        dilation=dilations,
        groups=node.integer("group", 1),
        data_layout=letters,
        kernel_layout=letters.replace("C", "O").replace("N", "I"),
    )
    return with_bias(result, node.optional(2))


def _wanted(node: Node, sizes: list[Size], strides: list[int]) -> list[Size] | None:
    """Return the output sizes that attributes ask for."""
    if "output_shape" in node.attrs:
        return list(node.integers("output_shape"))[-len(sizes) :]
    if node.text("auto_pad", "NOTSET").startswith("SAME"):
        return [size * stride for size, stride in zip(sizes, strides, strict=True)]
    return None


def _fitted(
    node: Node, window: Window, sizes: list[Size], wanted: list[Size], extra: list[int]
) -> tuple[Window, list[int]]:
    """Return the window, and what is added behind, for output sizes."""
    begins: list[int] = []
    ends: list[int] = []
    behind: list[int] = []
    for axis, size in enumerate(sizes):
        reach = (window.kernel[axis] - 1) * window.dilations[axis] + 1
        total = window.strides[axis] * (size - 1) + extra[axis] + reach - wanted[axis]
        behind.append(extra[axis] + max(-total, 0))
        total = max(total, 0)
        less = total // 2
        is_upper = node.text("auto_pad", "NOTSET") == "SAME_UPPER"
        begins.append(less if is_upper else total - less)
        ends.append(total - begins[-1])
    return Window(window.kernel, window.strides, window.dilations, [*begins, *ends]), behind


@operator("DeformConv")
def deformable_conv(context: Context, node: Node) -> RelaxExpr:
    """Return a convolution whose window's places are moved by offsets, and weighted by a mask."""
    x, weight, offset = (node.tensor(index) for index in range(3))
    window = window_of(node, sizes_of(x)[2:], node.static(sizes_of(weight)[2:], "its window"))
    if window.rank != 2:
        raise node.invalid(f"it has {window.rank} spatial dimensions")
    mask = node.optional(4)
    groups = node.integer("offset_group", 1)
    columns = _sampled(node, x, offset, mask, window, groups)
    result = _grouped_product(columns, weight, node.integer("group", 1))
    return with_bias(result, node.optional(3))


def _sampled(
    node: Node, x: RelaxExpr, offset: RelaxExpr, mask: RelaxExpr | None, window: Window, groups: int
) -> RelaxExpr:
    """Return the elements under the window at each place, interpolated: (batch, channels, taps, rows, columns)."""
    batch, channels, height, width = sizes_of(x)
    rows, columns = sizes_of(offset)[2:]
    taps = window.kernel[0] * window.kernel[1]
    rows, columns = node.static([rows, columns], "its number of places")
    node.static([taps, rows, columns], "the table of its places")
    shift = R.reshape(offset, shape_expr([batch, groups, taps, 2, rows, columns]))
    places: list[Any] = []
    for axis, (count, extent) in enumerate(((rows, height), (columns, width))):
        base = _tap_places(axis, count, window)
        moved = R.add(R.squeeze(R.strided_slice(shift, [3], [axis], [axis + 1]), [3]), base)
        # grid_sample counts from -1 to 1 between the centres of the corners
        places.append(R.subtract(R.divide(R.multiply(moved, scalar(2.0, x)), scalar(float(max(extent - 1, 1)), x)),
                                 scalar(1.0, x)))  # fmt: skip
    grid = R.stack((places[1], places[0]), axis=-1)
    per_group = channels // groups
    images = R.reshape(x, shape_expr([batch * groups, per_group, height, width]))
    lines = R.reshape(grid, shape_expr([batch * groups, taps * rows, columns, 2]))
    grid_first = R.permute_dims(lines, [0, 3, 1, 2])
    sampled = R.image.grid_sample(images, grid_first, "bilinear", "NCHW", "zeros", True)
    result = R.reshape(sampled, shape_expr([batch, channels, taps, rows, columns]))
    if mask is None:
        return result
    weights = R.reshape(mask, shape_expr([batch, groups, 1, taps, rows, columns]))
    spread = R.reshape(result, shape_expr([batch, groups, per_group, taps, rows, columns]))
    return R.reshape(R.multiply(spread, weights), shape_expr([batch, channels, taps, rows, columns]))


def _tap_places(axis: int, count: int, window: Window) -> RelaxExpr:
    """Return the rows or columns of the taps without offsets, of the shape (1, 1, taps, rows, columns)."""
    taps = np.indices(window.kernel)[axis].reshape(-1) * window.dilations[axis] - window.pads[axis]
    outputs = np.arange(count) * window.strides[axis]
    table = taps[:, None] + outputs[None]
    shaped = table[:, :, None] if axis == 0 else table[:, None, :]
    return R.const(shaped[None, None].astype("float32"), "float32")


def _grouped_product(columns: RelaxExpr, weight: RelaxExpr, groups: int) -> RelaxExpr:
    batch, channels, taps, rows, width = sizes_of(columns)
    filters = sizes_of(weight)[0]
    data = R.reshape(columns, shape_expr([batch, groups, channels // groups * taps, rows * width]))
    matrix = R.reshape(weight, shape_expr([1, groups, filters // groups, channels // groups * taps]))
    return R.reshape(R.matmul(matrix, data), shape_expr([batch, filters, rows, width]))


@operator("Col2Im")
def col2im(context: Context, node: Node) -> RelaxExpr:
    """Return images of which columns are the windows; elements of several windows are added."""
    x = node.tensor(0)
    image, block = (node.static(node.numbers(index, "its shapes"), "its shape") for index in (1, 2))
    rank = len(image)
    pads, strides = node.integers("pads", [0] * 2 * rank), node.integers("strides", [1] * rank)
    dilations = node.integers("dilations", [1] * rank)
    batch, rows, _ = sizes_of(x)
    whole = [image[axis] + pads[axis] + pads[axis + rank] for axis in range(rank)]
    places = [(whole[axis] - dilations[axis] * (block[axis] - 1) - 1) // strides[axis] + 1 for axis in range(rank)]
    taps = np.indices(block).reshape(rank, -1, 1) * np.array(dilations).reshape(-1, 1, 1)
    windows = np.indices(places).reshape(rank, 1, -1) * np.array(strides).reshape(-1, 1, 1)
    flat = np.ravel_multi_index(tuple(taps + windows), whole).reshape(-1)
    channels = rows // int(np.prod(block))
    updates = R.reshape(x, shape_expr([batch * channels, flat.size]))
    indices = R.broadcast_to(R.const(flat[None], "int64"), shape_expr([batch * channels, flat.size]))
    zeros = R.zeros(shape_expr([batch * channels, int(np.prod(whole))]), dtype_of(x))
    added = R.reshape(R.scatter_elements(zeros, indices, updates, 1, "add"), shape_expr([batch, channels, *whole]))
    begins = pads[:rank]
    return R.strided_slice(added, list(range(2, 2 + rank)), begins, [b + i for b, i in zip(begins, image, strict=True)])
