"""Constants, ranges, and other tensors from nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, scalar, shape_expr
from tvmscript.ir.core import DType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant
from tvmscript.language import R


@operator("Constant")
def constant(context: Context, node: Node) -> Any:
    """Return the value of one of the attributes."""
    attrs = node.attrs
    if "value" in attrs:
        return context.constant(node, attrs["value"])
    for name, dtype in {"value_float": "float32", "value_floats": "float32", "value_int": "int64",
                        "value_ints": "int64"}.items():  # fmt: skip
        if name in attrs:
            return np.array(attrs[name], dtype)
    if "sparse_value" in attrs:
        sparse = attrs["sparse_value"]
        values, indices = (context.constant(node, part) for part in (sparse.values, sparse.indices))
        return _dense(np.asarray(values.data), np.asarray(indices.data), tuple(sparse.dims))
    raise node.invalid(f"its value is of a kind that is not supported ({', '.join(attrs)})")


def _dense(values: Any, indices: Any, shape: tuple[int, ...]) -> Any:
    flat = indices if indices.ndim == 1 else np.ravel_multi_index(tuple(indices.T), shape)
    result = np.zeros(shape, values.dtype)
    result.reshape(-1)[flat] = values
    return result


@operator("ConstantOfShape")
def constant_of_shape(context: Context, node: Node) -> RelaxExpr:
    """Return a tensor of one number."""
    value = node.attrs.get("value")
    fill: Any = R.const(0.0, "float32")
    if isinstance(value, Constant):
        fill = Constant(np.asarray(value.data).reshape(()), value.dtype)
    return R.full(shape_expr(context.sizes_or_runtime(node, 0)), fill, str(fill.dtype))


@operator("Range")
def arange(context: Context, node: Node) -> RelaxExpr:
    """Return start, start + step, ... below the limit."""
    dtype = dtype_of(node.value(0))
    bounds = [node.array(index) for index in range(3)]
    if not any(bound is None for bound in bounds) and DType(dtype).is_integer:
        start, limit, step = (bound.reshape(()).item() for bound in bounds if bound is not None)
        return R.arange(start, limit, step, dtype=dtype)
    return _runtime_range(context, node, dtype)


def _runtime_range(context: Context, node: Node, dtype: str) -> RelaxExpr:
    """Return a range whose length is known at run time."""
    start, limit, step = (context.emit(node.tensor(index)) for index in range(3))
    if DType(dtype).is_integer:
        # the quotient rounded up, of either sign
        distance = R.subtract(limit, start)
        count = R.negative(R.floor_divide(R.negative(distance), step))
    else:
        count = R.ceil(R.divide(R.subtract(limit, start), step))
    count = R.maximum(R.astype(count, "int64"), R.const(0, "int64"))
    (length,) = context.runtime_sizes(R.reshape(count, [1]))
    places = R.astype(R.arange(0, length, 1, dtype="int64"), dtype)
    return R.add(start, R.multiply(places, step))


@operator("OneHot")
def one_hot(context: Context, node: Node) -> RelaxExpr:
    """Return one number at the places of indices, another elsewhere."""
    indices, values = node.tensor(0), node.tensor(2)
    rank = rank_of(indices) + 1
    axis = node.axis(node.integer("axis", -1), rank)
    depth = context.sizes_or_runtime(node, 1)[0]
    if dtype_of(indices) != "int64":
        indices = R.astype(indices, "int64")
    extent = R.const(depth, "int64") if isinstance(depth, int) else R.squeeze(R.shape_to_tensor(R.shape([depth])), [0])
    indices = R.where(R.less(indices, scalar(0, indices)), R.add(indices, extent), indices)
    places = R.reshape(R.arange(0, depth, 1, dtype="int64"), shape_expr([depth, *[1] * (rank - 1 - axis)]))
    is_here = R.equal(R.expand_dims(indices, axis), places)
    off, on = (R.squeeze(R.strided_slice(values, [0], [index], [index + 1]), [0]) for index in (0, 1))
    return R.where(is_here, on, off)


@operator("BlackmanWindow")
@operator("HammingWindow")
@operator("HannWindow")
def window(context: Context, node: Node) -> Any:
    """Return a window of weights: a sum of cosines."""
    if node.array(0) is None:
        raise UnknownInput(place=node.place, name="size")
    size = int(node.constant(0, "size"))
    dtype = context.dtype(node, node.integer("output_datatype", 1))
    weights = {
        "BlackmanWindow": (0.42, -0.5, 0.08), "HammingWindow": (25 / 46, -21 / 46), "HannWindow": (0.5, -0.5),
    }[node.op_type]  # fmt: skip
    turn = 2 * np.pi * np.arange(size) / (size if node.integer("periodic", 1) else size - 1)
    return sum(weight * np.cos(index * turn) for index, weight in enumerate(weights)).astype(dtype)  # type: ignore[union-attr]  # of several weights


@operator("MelWeightMatrix")
def mel_weights(context: Context, node: Node) -> Any:
    """Return the weights that combine the bins of a spectrum into bins of the Mel scale."""
    bins, length, rate = (int(node.constant(index, "its sizes")) for index in range(3))
    low, high = (float(node.constant(index, "its edges")) for index in (3, 4))
    spectrum = length // 2 + 1
    first, last = (2595 * np.log10(1 + edge / 700) for edge in (low, high))
    steps = first + np.arange(bins + 2) * (last - first) / (bins + 2)
    edges = 700 * (10 ** (steps / 2595) - 1)
    places = ((length + 1) * edges // rate).astype(int)
    weights = np.zeros((spectrum, bins))
    for index in range(bins):
        begin, centre, end = places[index : index + 3]
        if begin == centre:
            weights[centre, index] = 1
        else:
            weights[begin : centre + 1, index] = np.arange(centre - begin + 1) / (centre - begin)
        if end > centre:
            weights[centre:end, index] = np.arange(end - centre, 0, -1) / (end - centre)
    return weights.astype(context.dtype(node, node.integer("output_datatype", 1)))
