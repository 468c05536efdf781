"""Elements at indices: gather, scatter, compress."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import Size, dtype_of, product, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def _extent(size: Size, dtype: str) -> RelaxExpr:
    """Return a size as a scalar."""
    if isinstance(size, int):
        return R.const(size, dtype)
    vector = R.squeeze(R.shape_to_tensor(R.shape([size])), [0])
    return vector if dtype == "int64" else R.astype(vector, dtype)


def from_front(context: Context, node: Node, index: int, size: Size) -> RelaxExpr:
    """Return indices of an axis counted from the front, where negative ones count from the end."""
    index_array = node.array(index)
    indices = node.tensor(index)
    if index_array is not None and index_array.dtype != object and isinstance(size, int):
        if (index_array >= 0).all():
            return indices
        return R.const(np.where(index_array < 0, index_array + size, index_array), dtype_of(indices))
    dtype = dtype_of(indices)
    if dtype.startswith("uint"):
        return indices
    return R.where(R.less(indices, scalar(0, indices)), R.add(indices, _extent(size, dtype)), indices)


@operator("Gather")
def gather(context: Context, node: Node) -> RelaxExpr:
    """Return the slices of an axis at indices."""
    x = node.tensor(0)
    axis = node.axis(node.integer("axis", 0), rank_of(x))
    indices = from_front(context, node, 1, sizes_of(x)[axis])
    if rank_of(indices) == 0:
        taken = R.take(x, R.reshape(indices, shape_expr([1])), axis)
        return R.squeeze(taken, [axis])
    return R.take(x, indices, axis)


@operator("GatherElements")
def gather_elements(context: Context, node: Node) -> RelaxExpr:
    """Return the elements at indices along an axis."""
    x = node.tensor(0)
    axis = node.axis(node.integer("axis", 0), rank_of(x))
    return R.gather_elements(x, from_front(context, node, 1, sizes_of(x)[axis]), axis)


def _places(context: Context, node: Node, index: int, extents: list[Size]) -> RelaxExpr:
    """Return rows of indices counted from the front."""
    indices = node.tensor(index)
    dtype = dtype_of(indices)
    (count,) = node.static(sizes_of(indices)[-1:], "the length of its rows")
    if all(isinstance(extent, int) for extent in extents[:count]):
        limits: RelaxExpr = R.const(np.array(extents[:count]), dtype)
    else:
        limits = R.astype(R.shape_to_tensor(R.shape(extents[:count])), dtype)
    return R.where(R.less(indices, scalar(0, indices)), R.add(indices, limits), indices)


@operator("GatherND")
def gather_nd(context: Context, node: Node) -> RelaxExpr:
    """Return the elements or slices at rows of indices."""
    x, batch = node.tensor(0), node.integer("batch_dims", 0)
    return R.gather_nd(x, _places(context, node, 1, sizes_of(x)[batch:]), batch)


_REDUCTIONS: Final = {"none": "update", "add": "add", "mul": "mul", "max": "max", "min": "min"}


@operator("Scatter")
@operator("ScatterElements")
def scatter_elements(context: Context, node: Node) -> RelaxExpr:
    """Return the data with updates at indices along an axis."""
    x = node.tensor(0)
    axis = node.axis(node.integer("axis", 0), rank_of(x))
    indices = from_front(context, node, 1, sizes_of(x)[axis])
    return R.scatter_elements(x, indices, node.tensor(2), axis, _REDUCTIONS[node.text("reduction", "none")])


@operator("ScatterND")
def scatter_nd(context: Context, node: Node) -> RelaxExpr:
    """Return the data with updates at rows of indices."""
    x = node.tensor(0)
    places = _places(context, node, 1, sizes_of(x))
    return R.scatter_nd(x, places, node.tensor(2), _REDUCTIONS[node.text("reduction", "none")])


@operator("TensorScatter")
def tensor_scatter(context: Context, node: Node) -> RelaxExpr:
    """Return a cache with an update at a position of each batch, which wraps around in circular mode."""
    past, update = node.tensor(0), node.tensor(1)
    sizes, length = sizes_of(past), sizes_of(update)
    axis = node.axis(node.integer("axis", -2), len(sizes))
    steps = R.arange(0, length[axis], 1, dtype="int64")
    shape = [1] * len(sizes)
    shape[axis] = length[axis]
    places = R.reshape(steps, shape_expr(shape))
    if node.has(2):
        starts = R.reshape(node.tensor(2), shape_expr([sizes[0], *[1] * (len(sizes) - 1)]))
        places = R.add(places, starts)
    if node.text("mode", "linear") == "circular":
        places = R.floor_mod(places, _extent(sizes[axis], "int64"))
    return R.scatter_elements(past, R.broadcast_to(places, shape_expr(length)), update, axis)


@operator("NonZero")
def nonzero(context: Context, node: Node) -> RelaxExpr:
    """Return the indices of elements that are not zero, a row an axis."""
    return R.nonzero(node.tensor(0))


@operator("Compress")
def compress(context: Context, node: Node) -> RelaxExpr:
    """Return the slices of an axis where a condition holds."""
    x, condition = node.tensor(0), node.tensor(1)
    if "axis" not in node.attrs:
        x, axis = R.reshape(x, shape_expr([product(sizes_of(x))])), 0
    else:
        axis = node.axis(node.integer("axis"), rank_of(x))
    places = context.with_shape(context.emit(R.nonzero(condition)), [1, None])
    return R.take(x, R.squeeze(places, [0]), axis)


@operator("ReverseSequence")
def reverse_sequence(context: Context, node: Node) -> RelaxExpr:
    """Return sequences of given lengths backwards."""
    lengths = R.astype(node.tensor(1), "int64")
    return R.reverse_sequence(node.tensor(0), lengths, node.integer("time_axis", 0), node.integer("batch_axis", 1))


@operator("ArrayFeatureExtractor", domain="ai.onnx.ml")
def array_feature_extractor(context: Context, node: Node) -> Any:
    """Return columns of the data."""
    x, columns = node.tensor(0), node.tensor(1)
    picked = R.take(x, R.reshape(columns, shape_expr([product(sizes_of(columns))])), rank_of(x) - 1)
    return R.expand_dims(picked, [0]) if rank_of(x) == 1 else picked


@operator("Binarizer", domain="ai.onnx.ml")
def binarizer(context: Context, node: Node) -> RelaxExpr:
    """Return 1 above a threshold, else 0."""
    x = node.tensor(0)
    return R.astype(R.greater(x, scalar(node.number("threshold", 0.0), x)), dtype_of(x))
