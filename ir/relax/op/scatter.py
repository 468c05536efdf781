"""Scatter operators: write elements of one tensor into another."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.index import slice_length
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.tir import IntImm


def _infer_scatter(call: Call) -> StructInfo:
    data, indices, updates = (rules.expect_tensor(call, position) for position in range(3))
    rules.normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
    for position, info in ((1, indices), (2, updates)):
        if UNKNOWN_NDIM not in (data.ndim, info.ndim) and info.ndim != data.ndim:
            raise invalid_argument(call, position, f"{data.ndim} dimensions, as data", info.ndim)
    rules.common_dtype(call, (0, 2), (data.dtype, updates.dtype))
    rules.check_integer(call, 1, indices)
    if (
        indices.extents is not None
        and updates.extents is not None
        and rules.shapes_provably_differ(indices.extents, updates.extents)
    ):
        raise invalid_argument(
            call,
            2,
            f"the shape {rules.format_extents(indices.extents)}, as indices",
            rules.format_extents(updates.extents),
        )
    return data


def _compute_scatter(np: ModuleType, data: Array, indices: Array, updates: Array, axis: int, reduction: str) -> Array:
    result = data.copy()
    places = list(np.indices(indices.shape))
    places[axis] = indices
    _write_reduced(np, result, tuple(places), updates, reduction)
    return result


def _write_reduced(np: ModuleType, array: Array, where: tuple[object, ...], updates: Array, reduction: str) -> None:
    """Write into the array; repeated indices are combined by the reduction."""
    functions = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
    if reduction in functions:
        functions[reduction].at(array, where, updates)
    elif reduction == "mean":
        counts = np.ones(array.shape, array.dtype)
        np.add.at(counts, where, 1)
        np.add.at(array, where, updates)
        array[...] = (array / counts).astype(array.dtype)
    else:
        array[where] = updates


def _infer_scatter_nd(call: Call) -> StructInfo:
    data, indices, updates = (rules.expect_tensor(call, position) for position in range(3))
    rules.common_dtype(call, (0, 2), (data.dtype, updates.dtype))
    rules.check_integer(call, 1, indices)
    rules.check_not_scalar(call, 1, indices)
    if data.extents is None or indices.extents is None or updates.extents is None:
        return data
    count = indices.extents[-1]
    if not isinstance(count, IntImm):
        return data
    if count.value > data.ndim:
        raise invalid_argument(call, 1, f"at most {data.ndim} indices, as many as data has axes", count)
    expected = (*indices.extents[:-1], *data.extents[count.value :])
    if rules.shapes_provably_differ(expected, updates.extents):
        raise invalid_argument(
            call, 2, f"the shape {rules.format_extents(expected)}", rules.format_extents(updates.extents)
        )
    return data


def _infer_index_put(call: Call) -> StructInfo:
    data, values = rules.expect_tensor(call), rules.expect_tensor(call, 2)
    single = rules.struct_info_of(call, 1)
    indices = (single,) if isinstance(single, TensorStructInfo) else rules.expect_tensors(call, 1)
    rules.common_dtype(call, (0, 2), (data.dtype, values.dtype))
    for index in indices:
        rules.check_integer(call, 1, index)
    if data.ndim not in (UNKNOWN_NDIM, len(indices)):
        raise invalid_argument(call, 1, f"{data.ndim} tensors, one for each axis of data", len(indices))
    return data


def _infer_slice_scatter(call: Call) -> StructInfo:
    data, source = rules.expect_tensor(call), rules.expect_tensor(call, 1)
    rules.common_dtype(call, (0, 1), (data.dtype, source.dtype))
    if UNKNOWN_NDIM not in (data.ndim, source.ndim) and data.ndim != source.ndim:
        raise invalid_argument(call, 1, f"{data.ndim} dimensions, as the input", source.ndim)
    axis = rules.normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
    start, end, step = (rules.expect_prim(call, position).value for position in (2, 3, 4))
    if isinstance(step, IntImm) and step.value < 1:
        raise invalid_argument(call, 4, "a step of at least 1", step.value)
    if data.extents is None or source.extents is None:
        return data
    for place, (extent, other) in enumerate(zip(data.extents, source.extents, strict=True)):
        if place != axis and rules.provably_differ(extent, other):
            raise invalid_argument(call, 1, f"{extent} on axis {place}, as the input", other)
    if start is not None and end is not None and isinstance(step, IntImm):
        count = slice_length(start, end, step.value, data.extents[axis], inbound=True)
        if rules.provably_differ(count, source.extents[axis]):
            raise invalid_argument(call, 1, f"{count} elements on axis {axis}, as the slice", source.extents[axis])
    return data


def _compute_scatter_nd(np: ModuleType, data: Array, indices: Array, updates: Array, reduction: str) -> Array:
    result = data.copy()
    _write_reduced(np, result, tuple(np.moveaxis(indices, -1, 0)), updates, reduction)
    return result


def _compute_index_put(np: ModuleType, data: Array, indices: Array, values: Array, accumulate: bool) -> Array:
    result = data.copy()
    where = tuple(indices) if isinstance(indices, (tuple, list)) else (indices,)
    _write_reduced(np, result, where, values, "add" if accumulate else "update")
    return result


def _compute_slice_scatter(
    np: ModuleType, data: Array, source: Array, start: int, end: int, step: int, axis: int
) -> Array:
    result = data.copy()
    where = [slice(None)] * data.ndim
    where[axis] = slice(start, end, step)
    result[tuple(where)] = source
    return result


def _legalize_index_put(topi: Any, data: Any, indices: Any, values: Any, accumulate: bool) -> Any:
    where = list(indices) if isinstance(indices, (tuple, list)) else [indices]
    return topi.graph.index_put(data, where, values, accumulate)


index_put = Operator(
    "index_put",
    "data: Expr, indices: Expr, values: Expr, accumulate: bool = False",
    _infer_index_put,
    reference=_compute_index_put,
    legalize=_legalize_index_put,
    doc="Write or add values at indices, given by one tensor for each axis.",
)
scatter_elements = Operator(
    "scatter_elements",
    'data: Expr, indices: Expr, updates: Expr, axis: int = 0, reduction: str = "update"',
    _infer_scatter,
    reference=_compute_scatter,
    legalize=lambda topi, *args: topi.scatter_elements(*args),
    doc="Write or reduce updates at indices along an axis.",
)
scatter_nd = Operator(
    "scatter_nd",
    'data: Expr, indices: Expr, updates: Expr, reduction: str = "update"',
    _infer_scatter_nd,
    reference=_compute_scatter_nd,
    legalize=lambda topi, data, indices, updates, reduction: topi.graph.scatter_nd(data, indices, updates, reduction),
    doc="Write or reduce updates at multi-dimensional indices.",
)
slice_scatter = Operator(
    "slice_scatter",
    "input_tensor: Expr, src: Expr, start: Prim, end: Prim, step: Prim, axis: int = 0",
    _infer_slice_scatter,
    reference=_compute_slice_scatter,
    legalize=lambda topi, *args: topi.graph.slice_scatter(*args),
    doc="Replace a slice along an axis.",
)
