"""Indexing, slicing and gathering."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from tvmscript.ir.core import INT64, VOID
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, TupleGetItem
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import apply
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.op.value import tensor_to_shape
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeExpr,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Expr, IntImm, SizeVar
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.operators import add, floordiv, lt, maximum, minimum, sub
from tvmscript.ir.topi import inventory

#: mode for out-of-range indices -> NumPy's mode
_TAKES: Final = {"fast": "raise", "clip": "clip", "wrap": "wrap", "nan": "raise"}


def _infer_take(call: Call) -> StructInfo:
    if call.attrs["mode"] not in _TAKES:
        raise invalid_argument(call, "mode", f"one of {', '.join(_TAKES)}", repr(call.attrs["mode"]))
    data = rules.expect_tensor(call)
    indices = rules.struct_info_of(call, 1)
    if isinstance(indices, PrimStructInfo):
        indices = TensorStructInfo((), indices.dtype)
    if not isinstance(indices, TensorStructInfo):
        raise invalid_argument(call, 1, "a tensor or a scalar", rules.describe_kind(indices))
    rules.check_integer(call, 1, indices)
    axis = call.attrs["axis"]
    if axis is None and data.ndim != 1:
        raise invalid_argument(call, "axis", "an axis, as x does not have 1 dimension", "none")
    along = rules.normalize_axis(call, "axis", axis or 0, data.ndim)
    if data.extents is None or indices.extents is None:
        is_known = UNKNOWN_NDIM not in (data.ndim, indices.ndim)
        return rules.tensor_of_ndim(
            data.ndim + indices.ndim - 1 if is_known else UNKNOWN_NDIM, data.dtype, data.vdevice
        )
    extents = (*data.extents[:along], *indices.extents, *data.extents[along + 1 :])
    return rules.tensor_of_shape(extents, data.dtype, data.vdevice)


# Slices

#: the arguments of strided_slice after the data
_BOUNDS: Final = range(1, 5)


def _infer_strided_slice(call: Call) -> StructInfo:
    data = rules.expect_tensor(call)
    given = [_expect_integers(call, position) for position in _BOUNDS if position < len(call.args)]
    counts = [len(bounds) for bounds in given if bounds is not None]
    if len(set(counts)) > 1:
        position = next(place for place, bounds in enumerate(given) if bounds is not None and len(bounds) != counts[0])
        raise invalid_argument(
            call, position + 1, f"{counts[0]} integers, as many as there are axes", len(given[position] or ())
        )
    axes, begins, ends, *rest = given
    unknown = rules.tensor_of_ndim(data.ndim, data.dtype, data.vdevice)
    if axes is None or data.ndim == UNKNOWN_NDIM:
        return unknown
    places = _normalize_slice_axes(call, axes, data.ndim)
    if places == ():
        return data
    if places is None or data.extents is None or begins is None or ends is None or None in rest:
        return unknown
    strides = rest[0] if rest and rest[0] is not None else (rules.int64(1),) * len(places)
    extents = list(data.extents)
    for axis, begin, end, stride in zip(places, begins, ends, strides, strict=True):
        if begin is None or end is None or not isinstance(stride, IntImm):
            return unknown
        if stride.value == 0:
            raise invalid_argument(call, 4, "strides other than 0", 0)
        extents[axis] = slice_length(begin, end, stride.value, extents[axis], inbound=call.attrs["assume_inbound"])
    return rules.tensor_of_shape(extents, data.dtype, data.vdevice)


def _expect_integers(call: Call, position: int) -> tuple[Expr | None, ...] | None:
    """Return the values of a tuple of int64 scalars, None for unknown values. Raises `InvalidCall`."""
    info = rules.struct_info_of(call, position)
    if info is None or not isinstance(info, TupleStructInfo):
        raise invalid_argument(call, position, "a tuple of int64 scalars", rules.describe_kind(info))
    values: list[Expr | None] = []
    for field in info.fields:
        if not isinstance(field, PrimStructInfo) or field.dtype is not INT64:
            got = field.dtype if isinstance(field, PrimStructInfo) else rules.describe_kind(field)
            raise invalid_argument(call, position, "a tuple of int64 scalars", f"one of {got}")
        values.append(field.value)
    return tuple(values)


def _normalize_slice_axes(call: Call, axes: Sequence[Expr | None], ndim: int) -> tuple[int, ...] | None:
    """Return the normalized axes, None where one is unknown."""
    numbers = [axis.value for axis in axes if isinstance(axis, IntImm)]
    return rules.normalize_axes(call, "axes", numbers, ndim) if len(numbers) == len(axes) else None


def slice_length(begin: Expr, end: Expr, stride: int, extent: Expr, *, inbound: bool) -> Expr:
    """Return the number of elements of a slice."""
    first, last = _clamp_slice_bound(begin, stride, extent, inbound), _clamp_slice_bound(end, stride, extent, inbound)
    way = sub(last, first) if stride > 0 else sub(first, last)
    return simplify_size(floordiv(add(way, abs(stride) - 1), abs(stride)))


def _clamp_slice_bound(index: Expr, stride: int, extent: Expr, inbound: bool) -> Expr:
    """Normalize a negative bound, and clamp it to the extent unless `inbound`."""
    if not isinstance(index, IntImm):
        index = if_then_else(lt(index, 0), add(index, extent), index)
    elif index.value < 0:
        index = simplify_size(add(index, extent))
    if inbound:
        return index
    low, high = (rules.int64(0), extent) if stride > 0 else (rules.int64(-1), sub(extent, 1))
    placed: Expr = minimum(simplify_size(maximum(index, low)), high)
    return placed


def _infer_dynamic_strided_slice(call: Call) -> StructInfo:
    data = rules.expect_tensor(call)
    for position in (1, 2, 3):
        info = rules.expect_tensor(call, position)
        if info.ndim not in (1, UNKNOWN_NDIM):
            raise invalid_argument(call, position, "a tensor of 1 dimension", info.ndim)
        if info.dtype not in (INT64, VOID):
            raise invalid_argument(call, position, "int64", info.dtype)
        if data.ndim == UNKNOWN_NDIM:
            continue
        count = info.extents[0] if info.extents else None
        if not isinstance(count, IntImm) or count.value != data.ndim:
            got = "an unknown number" if count is None else count
            raise invalid_argument(call, position, f"{data.ndim} elements, as many as x has axes", got)
    return rules.tensor_of_ndim(data.ndim, data.dtype, data.vdevice)


# Gathering


def _infer_gather_elements(call: Call) -> StructInfo:
    data, indices = rules.expect_tensor(call), rules.expect_tensor(call, 1)
    rules.check_integer(call, 1, indices)
    if UNKNOWN_NDIM not in (data.ndim, indices.ndim) and data.ndim != indices.ndim:
        raise invalid_argument(call, 1, f"{data.ndim} dimensions, as data", indices.ndim)
    rules.normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
    return TensorStructInfo(indices.shape, data.dtype, indices.ndim, data.vdevice)


def _infer_gather_nd(call: Call) -> StructInfo:
    data, indices, batch = rules.expect_tensor(call), rules.expect_tensor(call, 1), call.attrs["batch_dims"]
    rules.check_integer(call, 1, indices)
    rules.check_not_scalar(call, 1, indices)
    count = indices.extents[-1] if indices.extents is not None else None
    if not isinstance(count, IntImm) or data.ndim == UNKNOWN_NDIM or indices.extents is None:
        return rules.tensor_of_ndim(UNKNOWN_NDIM, data.dtype, data.vdevice)
    skipped = batch + count.value
    if skipped > data.ndim:
        raise invalid_argument(call, 1, f"at most {data.ndim - batch} indices, as many as data has axes", count)
    if data.extents is None:
        return rules.tensor_of_ndim(indices.ndim - 1 + data.ndim - skipped, data.dtype, data.vdevice)
    return rules.tensor_of_shape((*indices.extents[:-1], *data.extents[skipped:]), data.dtype, data.vdevice)


def _infer_index_tensor(call: Call) -> StructInfo:
    data, indices = rules.expect_tensor(call), rules.expect_tensors(call, 1)
    for index in indices:
        if index.dtype is not VOID and index.dtype.code != "int":  # NumPy takes bools for masks
            raise invalid_argument(call, 1, "signed integers", index.dtype)
    if data.ndim != UNKNOWN_NDIM and len(indices) > data.ndim:
        raise invalid_argument(call, 1, f"at most {data.ndim} tensors, as many as data has axes", len(indices))
    place: rules.Extents = ()
    for index in indices:
        place = (
            None if place is None or index.extents is None else rules.broadcast_extents(call, 1, place, index.extents)
        )
    if place is None or data.ndim == UNKNOWN_NDIM:
        return rules.tensor_of_ndim(UNKNOWN_NDIM, data.dtype, data.vdevice)
    rest = data.extents[len(indices) :] if data.extents is not None else None
    extents = None if rest is None else (*place, *rest)
    return rules.make_tensor(extents, len(place) + data.ndim - len(indices), data.dtype, data.vdevice)


def _infer_one_hot(call: Call) -> StructInfo:
    indices, on, off = rules.expect_tensor(call), rules.expect_prim(call, 1), rules.expect_prim(call, 2)
    rules.check_integer(call, 0, indices)
    depth, axis = call.attrs["depth"], call.attrs["axis"]
    if on.dtype is not off.dtype:
        raise invalid_argument(call, 2, f"{on.dtype}, as on_value", off.dtype)
    if depth <= 0:
        raise invalid_argument(call, "depth", "a positive number", depth)
    ndim = indices.ndim if indices.ndim == UNKNOWN_NDIM else indices.ndim + 1
    along = rules.normalize_axis(call, "axis", axis, ndim)
    if indices.extents is None:
        return rules.tensor_of_ndim(ndim, on.dtype, indices.vdevice)
    return rules.tensor_of_shape(
        [*indices.extents[:along], rules.int64(depth), *indices.extents[along:]], on.dtype, indices.vdevice
    )


def _compute_gather_nd(np: ModuleType, data: Array, indices: Array, batch_dims: int) -> Array:
    if batch_dims:
        parts = zip(data, indices, strict=True)
        return np.stack([_compute_gather_nd(np, part, places, batch_dims - 1) for part, places in parts])
    return data[tuple(np.moveaxis(indices, -1, 0))]


def _compute_one_hot(np: ModuleType, indices: Array, on: Array, off: Array, depth: int, axis: int) -> Array:
    return np.moveaxis(np.where(indices[..., None] == np.arange(depth), on, off), -1, axis)


def _compute_slice(
    np: ModuleType, x: Array, axes: Any, begin: Any, end: Any, strides: Any = None, assume_inbound: bool = False
) -> Array:
    """Compute by NumPy's slices; an end before the first element becomes None."""
    where = [slice(None)] * x.ndim
    for axis, first, last, step in zip(axes, begin, end, strides or [1] * len(axes), strict=True):
        before = step < 0 and last < -x.shape[axis]
        where[axis] = slice(first, None if before else last, step)
    return x[tuple(where)]


def _expand_dynamic_slice(builder: Any, call: Call) -> Call:
    """Return the kernel of a slice; another kernel computes where it begins, and its extents, which are variables."""
    x, begin, end, strides = call.args
    graph = inventory().graph
    bounds = builder.emit_te(graph.slice_bounds, x, begin, end, strides)
    firsts, extents = (builder.emit(TupleGetItem(bounds, index)) for index in range(2))
    shape = builder.emit(make_call(tensor_to_shape, (extents,)))
    sizes = [SizeVar("s", INT64) for _ in range(rules.expect_tensor(call).ndim)]
    builder.match_cast(shape, ShapeStructInfo(tuple(sizes)))
    kernel: Call = builder.call_te(graph.dynamic_strided_slice, x, firsts, strides, ShapeExpr(sizes))
    return kernel


dynamic_strided_slice = Operator(
    "dynamic_strided_slice",
    "x: Expr, begin: Expr, end: Expr, strides: Expr",
    _infer_dynamic_strided_slice,
    reference=lambda np, x, begin, end, strides: _compute_slice(np, x, range(x.ndim), begin, end, list(strides)),
    expand=_expand_dynamic_slice,
    doc="A strided slice with bounds in tensors, one element for each axis.",
)


def _compute_gather_elements(np: ModuleType, data: Array, indices: Array, axis: int) -> Array:
    # indices may be shorter than the data along other axes
    where = [slice(extent) for extent in indices.shape]
    where[axis] = slice(None)
    return np.take_along_axis(data[tuple(where)], indices, axis)


gather_elements = Operator(
    "gather_elements",
    "data: Expr, indices: Expr, axis: int = 0",
    _infer_gather_elements,
    reference=_compute_gather_elements,
    legalize=lambda topi, data, indices, axis: topi.gather(data, axis, indices),
    doc="Gather elements along an axis by indices.",
)
gather_nd = Operator(
    "gather_nd",
    "data: Expr, indices: Expr, batch_dims: int = 0",
    _infer_gather_nd,
    reference=_compute_gather_nd,
    legalize=lambda topi, data, indices, batch_dims: topi.graph.gather_nd(data, indices, batch_dims),
    doc="Gather slices by multi-dimensional indices.",
)
index_tensor = Operator(
    "index_tensor",
    "data: Expr, indices: Tuple",
    _infer_index_tensor,
    reference=lambda np, data, indices: data[tuple(indices)],
    legalize=lambda topi, data, indices: topi.graph.index_tensor(data, indices),
    doc="Advanced indexing by broadcast index tensors, one for each of the first axes.",
)
one_hot = Operator(
    "one_hot",
    "indices: Expr, on_value: Prim, off_value: Prim, depth: int, axis: int = -1",
    _infer_one_hot,
    reference=_compute_one_hot,
    legalize=lambda topi, indices, on, off, depth, axis: topi.one_hot(indices, on, off, depth, axis, str(on.dtype)),
    doc="One-hot encoding along a new axis: on_value at the index, off_value elsewhere.",
)


def _legalize_strided_slice(topi: Any, x: Any, axes: Any, begin: Any, end: Any, *rest: Any) -> Any:
    *strides, _ = rest  # symbolic bounds are taken to lie inside in any case
    return topi.strided_slice(x, begin, end, strides[0] if strides else None, axes)


strided_slice = Operator(
    "strided_slice",
    "x: Expr, axes: Tuple, begin: Tuple, end: Tuple, strides: Tuple | None = None, assume_inbound: bool = False",
    _infer_strided_slice,
    mixed_precision="follow",
    layout="strided_slice",
    reference=_compute_slice,
    legalize=_legalize_strided_slice,
    doc="A strided slice along some axes; out-of-range bounds are clamped, unless they are assumed in range.",
)
take = Operator(
    "take",
    "x: Expr, indices: Expr, axis: int | None = None",
    _infer_take,
    v0_27_parameters="mode: str = 'fast'",
    reference=lambda np, x, indices, axis, mode: np.take(x, indices, axis, mode=_TAKES[mode]),
    legalize=lambda topi, x, indices, axis, mode: topi.take(x, indices, axis, mode=mode),
    gradient=lambda a: (apply("grad.take_backward", a.gradient, a.x, a.y, axis=a.call.attrs["axis"]), None),
    doc="Take elements along an axis by indices; `mode` handles indices out of range.",
)
