"""Convolutions, pooling, products of matrices, resized images. Images have the layout NHWC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tvmscript.frontend.tensor_info import shape_of
from tvmscript.frontend.tflite.operators.elementwise import activate
from tvmscript.frontend.tflite.operators.table import operator
from tvmscript.frontend.tflite.read_model import schema
from tvmscript.frontend.tflite.values import Node, scalar
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def _is_same(node: Node) -> bool:
    return bool(node.option("padding") == schema().Padding.SAME)


def _border(size: int, window: int, stride: int) -> tuple[int, int]:
    """Return the border of an axis whose result has ceil(size / stride) elements."""
    total = max((-(-size // stride) - 1) * stride + window - size, 0)
    return total // 2, total - total // 2


def _padding(node: Node, sizes: Sequence[int], windows: Sequence[int], strides: Sequence[int]) -> list[int]:
    """Return the borders before all axes, then those behind them."""
    if not _is_same(node):
        return [0] * (2 * len(sizes))
    borders = [_border(*axis) for axis in zip(sizes, windows, strides, strict=True)]
    return [*[before for before, _ in borders], *[after for _, after in borders]]


def _add_bias(node: Node, x: RelaxExpr, place: int) -> RelaxExpr:
    """Add an input that may be left out, and apply the activation."""
    return activate(node, R.add(x, node.tensor(place)) if node.has(place) else x)


def _strides(node: Node) -> list[int]:
    return [node.option("strideH", 1), node.option("strideW", 1)]


def _convolution(node: Node, x: RelaxExpr, weight: RelaxExpr, groups: int) -> RelaxExpr:
    """Return a convolution by a weight OHWI."""
    strides = _strides(node)
    dilation = [node.option("dilationHFactor", 1), node.option("dilationWFactor", 1)]
    windows = [(size - 1) * step + 1 for size, step in zip(shape_of(weight)[1:3], dilation, strict=True)]
    padding = _padding(node, shape_of(x)[1:3], windows, strides)
    result = R.nn.conv2d(x, weight, strides, padding, dilation, groups, "NHWC", "OHWI")
    return _add_bias(node, result, 2)


@operator("CONV_2D")
def conv2d(node: Node) -> RelaxExpr:
    """Return a convolution; the number of groups follows from the channels."""
    x, weight = node.tensor(0), node.tensor(1)
    return _convolution(node, x, weight, shape_of(x)[3] // shape_of(weight)[3])


@operator("DEPTHWISE_CONV_2D")
def depthwise_conv2d(node: Node) -> RelaxExpr:
    """Return a convolution of each channel by itself."""
    x = node.tensor(0)
    return _convolution(node, x, R.permute_dims(node.tensor(1), [3, 1, 2, 0]), shape_of(x)[3])


@operator("TRANSPOSE_CONV")
def conv2d_transpose(node: Node) -> RelaxExpr:
    """Return a transposed convolution of the shape that the first input gives."""
    sizes = node.integers(0)[1:3]
    x, weight = R.permute_dims(node.tensor(2), [0, 3, 1, 2]), R.permute_dims(node.tensor(1), [3, 0, 1, 2])
    strides, begins, ends, extra = _strides(node), [0, 0], [0, 0], [0, 0]
    for axis, (size, extent, window, stride) in enumerate(
        zip(sizes, shape_of(x)[2:], shape_of(weight)[2:], strides, strict=True)
    ):
        full = (extent - 1) * stride + window
        total = max(full - size, 0) if _is_same(node) else 0
        begins[axis], ends[axis] = total // 2, total - total // 2
        extra[axis] = size - (full - total)
    result = R.nn.conv2d_transpose(x, weight, strides, [*begins, *ends], extra)
    return _add_bias(node, R.permute_dims(result, [0, 2, 3, 1]), 3)


def _pooling(node: Node, function: Callable[..., RelaxExpr], **options: Any) -> RelaxExpr:
    x, strides = node.tensor(0), _strides(node)
    window = [node.option("filterHeight", 1), node.option("filterWidth", 1)]
    padding = _padding(node, shape_of(x)[1:3], window, strides)
    return activate(node, function(x, window, strides, padding, layout="NHWC", **options))


@operator("MAX_POOL_2D")
def max_pool2d(node: Node) -> RelaxExpr:
    """Return the largest elements of windows."""
    return _pooling(node, R.nn.max_pool2d)


@operator("AVERAGE_POOL_2D")
def avg_pool2d(node: Node) -> RelaxExpr:
    """Return the means of windows without their borders."""
    return _pooling(node, R.nn.avg_pool2d, count_include_pad=False)


@operator("FULLY_CONNECTED")
def fully_connected(node: Node) -> RelaxExpr:
    """Return the product of rows and a transposed matrix."""
    x, weight = node.tensor(0), node.tensor(1)
    if not node.option("keepNumDims") and len(shape_of(x)) != 2:
        x = R.reshape(x, [-1, shape_of(weight)[1]])
    return _add_bias(node, R.matmul(x, R.permute_dims(weight)), 2)


@operator("BATCH_MATMUL")
def batch_matmul(node: Node) -> RelaxExpr:
    """Return products of matrices, transposed where options say so."""
    a, b = node.tensor(0), node.tensor(1)
    a, b = (_swap_last_axes(x) if node.option(name) else x for x, name in ((a, "adjX"), (b, "adjY")))
    return R.matmul(a, b)


def _swap_last_axes(x: RelaxExpr) -> RelaxExpr:
    rank = len(shape_of(x))
    return R.permute_dims(x, [*range(rank - 2), rank - 1, rank - 2])


@operator("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(node: Node) -> RelaxExpr:
    """Return images of another size."""
    is_linear = node.name == "RESIZE_BILINEAR"
    mode = "asymmetric"
    if node.option("alignCorners"):
        mode = "align_corners"
    elif node.option("halfPixelCenters"):
        mode = "half_pixel" if is_linear else "tf_half_pixel_for_nn"
    rounding = "" if is_linear else "round" if mode == "align_corners" else "floor"
    method = "linear" if is_linear else "nearest_neighbor"
    return R.image.resize2d(node.tensor(0), R.shape(node.integers(1)), None, "NHWC", method, mode, rounding)


@operator("LOCAL_RESPONSE_NORMALIZATION")
def local_response_norm(node: Node) -> RelaxExpr:
    """Divide by a power of the sum of squares of neighbouring channels."""
    x = node.tensor(0)
    channels = shape_of(x)[3]
    radius = min(int(node.option("radius")), channels)
    squares = R.nn.pad(R.multiply(x, x), [0] * 6 + [radius, radius])
    total = R.strided_slice(squares, [3], [0], [channels])
    for shift in range(1, 2 * radius + 1):
        total = R.add(total, R.strided_slice(squares, [3], [shift], [shift + channels]))
    base = R.add(R.multiply(total, scalar(float(node.option("alpha")), x)), scalar(float(node.option("bias")), x))
    return R.divide(x, R.power(base, scalar(float(node.option("beta")), x)))
