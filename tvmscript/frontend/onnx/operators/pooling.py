"""Pools: the largest element, the mean, or a norm of windows."""

from __future__ import annotations

import math
from functools import reduce
from itertools import starmap
from operator import mul
from typing import Any, Final

from tvmscript.frontend.largest_places import largest_places, sliding
from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.operators.windows import Window, window_of
from tvmscript.frontend.onnx.values import Size, as_size, dtype_of, product, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, cast, const
from tvmscript.language import R

_MAX: Final = {1: R.nn.max_pool1d, 2: R.nn.max_pool2d, 3: R.nn.max_pool3d}
_AVERAGE: Final = {1: R.nn.avg_pool1d, 2: R.nn.avg_pool2d, 3: R.nn.avg_pool3d}
_ADAPTIVE: Final = {1: R.nn.adaptive_avg_pool1d, 2: R.nn.adaptive_avg_pool2d, 3: R.nn.adaptive_avg_pool3d}


def _window(node: Node) -> Window:
    return window_of(node, sizes_of(node.tensor(0))[2:])


@operator("MaxPool")
def max_pool(context: Context, node: Node) -> Any:
    """Return the largest elements of windows, and their places."""
    x, window = node.tensor(0), _window(node)
    if len(node.output_names) > 1 and node.output_names[1]:
        return _max_pool_with_places(context, node, x, window)
    return _pool(_MAX, node, x, window)


def _pool(functions: Any, node: Node, x: RelaxExpr, window: Window, **options: Any) -> RelaxExpr:
    result: RelaxExpr = functions[window.rank](
        x,
        pool_size=window.kernel,
        strides=window.strides,
        padding=window.pads,
        dilation=window.dilations,
        ceil_mode=bool(node.integer("ceil_mode", 0)),
        layout=window.layout,
        **options,
    )
    if not node.integer("ceil_mode", 0) or not all(isinstance(size, int) for size in sizes_of(x)):
        return result
    # ONNX leaves out a window that begins behind the tensor
    counts = _counts(node, sizes_of(x)[2:], window)
    if sizes_of(result)[2:] == counts:
        return result
    return R.strided_slice(result, list(range(2, 2 + window.rank)), [0] * window.rank, counts)


#: most elements of a window whose places are told
_MOST_PLACES: Final = 4096


def _max_pool_with_places(context: Context, node: Node, x: RelaxExpr, window: Window) -> list[RelaxExpr]:
    """Return the largest elements, and their places in the whole tensor, by rows or by columns."""
    if math.prod(window.kernel) > _MOST_PLACES:
        raise node.invalid(f"places in windows of more than {_MOST_PLACES:,} elements are not supported")
    largest = context.emit(_pool(_MAX, node, x, window))
    windows = (window.kernel, window.strides, window.pads[: window.rank], window.dilations)
    spans = list(starmap(sliding, zip(*windows, strict=True)))
    is_by_columns = bool(node.integer("storage_order", 0))

    def places(x: Tensor, largest: Tensor) -> Tensor:
        return _in_whole_tensor(x, largest_places(x, largest, spans), is_by_columns)

    return [largest, context.emit_te(places, x, largest, primfunc_name_hint="largest_places")]


def _in_whole_tensor(x: Tensor, places: Tensor, is_by_columns: bool) -> Tensor:
    """Return places in the image of a channel as places in the tensor."""
    _, channels, *image = [cast("int64", size) for size in x.shape]

    def place_of(*i: Expr) -> Any:
        rest: Any = places(*i)
        inside: Any = rest
        if is_by_columns:
            inside = const(0, "int64")
            for size in reversed(image):
                inside, rest = inside * size + rest % size, rest // size
        channel: Any = cast("int64", i[0]) * channels + cast("int64", i[1])
        return channel * reduce(mul, image) + inside

    in_tensor: Tensor = compute(places.shape, place_of, "places")
    return in_tensor


def _counts(node: Node, sizes: list[Size], window: Window) -> list[int]:
    """Return the number of windows along each dimension."""
    counts: list[int] = []
    for axis, size in enumerate(node.static(sizes, "its size")):
        begin, end = window.pads[axis], window.pads[axis + window.rank]
        room = size + begin + end - (window.kernel[axis] - 1) * window.dilations[axis] - 1
        stride = window.strides[axis]
        count = (-(-room // stride) if node.integer("ceil_mode", 0) else room // stride) + 1
        if node.integer("ceil_mode", 0) and (count - 1) * stride >= size + begin:
            count -= 1  # a window does not begin behind the tensor
        counts.append(count)
    return counts


@operator("AveragePool")
def average_pool(context: Context, node: Node) -> RelaxExpr:
    """Return the means of windows, with or without their borders."""
    return average_pool_of(node, node.tensor(0))


def average_pool_of(node: Node, x: RelaxExpr) -> RelaxExpr:
    """Return the means of windows of a tensor, which the attributes of a node say."""
    count_include_pad = bool(node.integer("count_include_pad", 0))
    return _pool(_AVERAGE, node, x, _window(node), count_include_pad=count_include_pad)


@operator("LpPool")
def lp_pool(context: Context, node: Node) -> RelaxExpr:
    """Return the p-norms of windows."""
    x, window, p = node.tensor(0), _window(node), node.number("p", 2)
    sizes = sizes_of(x)[2:]
    widths = [0, 0, 0, 0]
    for axis, count in enumerate(_counts(node, sizes, window)):
        reach = (count - 1) * window.strides[axis] + (window.kernel[axis] - 1) * window.dilations[axis] + 1
        behind = max(window.pads[axis + window.rank], reach - window.pads[axis] - sizes[axis])
        widths += [window.pads[axis], behind]
    # borders are zeros, which the sum may count
    powers = R.nn.pad(R.power(R.abs(x), scalar(p, x)), widths, 0)
    inner = Window(window.kernel, window.strides, window.dilations, [0] * 2 * window.rank)
    means = _AVERAGE[window.rank](
        powers, inner.kernel, inner.strides, inner.pads, inner.dilations, False, True, inner.layout
    )
    total = R.multiply(means, scalar(float(math.prod(window.kernel)), x))
    return R.power(total, scalar(1.0 / p, x))


@operator("GlobalAveragePool")
def global_average_pool(context: Context, node: Node) -> RelaxExpr:
    """Return the means of channels."""
    x = node.tensor(0)
    rank = rank_of(x) - 2
    if rank not in _ADAPTIVE:
        return R.mean(x, list(range(2, rank + 2)), True)
    return _ADAPTIVE[rank](x, [1] * rank)


@operator("GlobalMaxPool")
def global_max_pool(context: Context, node: Node) -> RelaxExpr:
    """Return the largest elements of channels."""
    x = node.tensor(0)
    return R.max(x, list(range(2, rank_of(x))), True)


@operator("GlobalLpPool")
def global_lp_pool(context: Context, node: Node) -> RelaxExpr:
    """Return the p-norms of channels."""
    x, p = node.tensor(0), node.number("p", 2)
    total = R.sum(R.power(R.abs(x), scalar(p, x)), list(range(2, rank_of(x))), True)
    return R.power(total, scalar(1.0 / p, x))


@operator("MaxUnpool")
def max_unpool(context: Context, node: Node) -> RelaxExpr:
    """Return zeros with elements at places that a max pool gave."""
    x, places, window = node.tensor(0), node.tensor(1), _window(node)
    sizes = sizes_of(x)
    natural = [
        as_size(
            (size - 1) * window.strides[axis]
            + window.kernel[axis]
            - window.pads[axis]
            - window.pads[axis + window.rank]
        )
        for axis, size in enumerate(sizes[2:])
    ]
    whole = [*sizes[:2], *natural]
    count = product(sizes)
    flat = R.zeros(shape_expr([product(whole)]), dtype_of(x))
    elements, indices = (R.reshape(tensor, shape_expr([count])) for tensor in (x, places))
    result = R.reshape(R.scatter_elements(flat, indices, elements, 0), shape_expr(whole))
    if not node.has(2):
        return result
    wanted = node.sizes(2, "output_shape")
    return R.nn.pad(result, [w for size, own in zip(wanted, whole, strict=True) for w in (0, size - own)], 0)


@operator("MaxRoiPool")
def max_roi_pool(context: Context, node: Node) -> RelaxExpr:
    """Return the largest elements of bins of regions."""
    scale = node.number("spatial_scale", 1.0)
    return R.vision.roi_pool(node.tensor(0), node.tensor(1), node.integers("pooled_shape"), scale)
