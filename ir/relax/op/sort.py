"""Sorting along an axis."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from tvmscript.ir.core import VOID, DType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import IntImm

#: results of `topk`
_RESULTS: Final = ("both", "values", "indices")


def _infer_sort(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    _checked_axis(call, info)
    return info


def _infer_argsort(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    _checked_axis(call, info)
    return rules.with_dtype(info, rules.dtype_attr(call, info.dtype))


def _checked_axis(call: Call, info: TensorStructInfo) -> int:
    """Return the normalized axis, 0 for a scalar."""
    return rules.normalize_axis(call, "axis", call.attrs["axis"], info.ndim) if info.ndim else 0


def _infer_topk(call: Call) -> StructInfo:
    data, count = rules.expect_tensor(call), call.attrs["k"]
    axis = rules.normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
    dtype = rules.dtype_attr(call, data.dtype)
    values, result = data, call.attrs["ret_type"]
    if result not in _RESULTS:
        raise invalid_argument(call, "ret_type", f"one of {', '.join(_RESULTS)}", result)
    if data.extents is not None and data.ndim != UNKNOWN_NDIM:
        extents, extent = list(data.extents), data.extents[axis]
        if count > 0 and not (isinstance(extent, IntImm) and extent.value <= count):
            extents[axis] = rules.int64(count)
        values = rules.tensor_of_shape(extents, data.dtype, data.vdevice)
    indices = rules.with_dtype(values, dtype)
    return {"both": TupleStructInfo((values, indices)), "values": values, "indices": indices}[result]


def _argsort(np: ModuleType, x: Array, axis: int, descending: bool) -> Array:
    """Return the indices of a stable sort, in either direction."""
    if x.ndim == 0:
        return np.zeros((), "int64")
    if not descending:
        return np.argsort(x, axis, kind="stable")
    last = x.shape[axis] - 1
    return last - np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)


def _compute_topk(np: ModuleType, x: Array, k: int, axis: int, ret_type: str, largest: bool, dtype: object) -> Array:
    order = _argsort(np, x, axis, largest)
    places = np.take(order, range(min(k, x.shape[axis]) if k > 0 else x.shape[axis]), axis)
    values, indices = np.take_along_axis(x, places, axis), places.astype(x.dtype if dtype is VOID else dtype)
    return {"both": (values, indices), "values": values, "indices": indices}[ret_type]


def _legalize_topk(topi: Any, data: Any, k: int, axis: int, ret_type: str, largest: bool, dtype: DType) -> Any:
    if data.ndim == 0:
        return NotImplemented
    extent = data.shape[axis]
    count = min(k, extent.value) if isinstance(extent, IntImm) else k
    return topi.topk(data, count, axis, ret_type, not largest, data.dtype if dtype is VOID else dtype)


argsort = Operator(
    "argsort",
    'data: Expr, axis: int = -1, descending: bool = False, dtype: dtype = "int32"',
    _infer_argsort,
    reference=lambda np, x, axis, descending, dtype: _argsort(np, x, axis, descending).astype(
        x.dtype if dtype is VOID else dtype
    ),
    legalize=lambda topi, x, axis, descending, dtype: (
        topi.argsort(x, None, axis, not descending, x.dtype if dtype is VOID else dtype) if x.ndim else NotImplemented
    ),
    doc="The indices that sort the elements along an axis.",
)
sort = Operator(
    "sort",
    "x: Expr, axis: int = -1, descending: bool = False",
    _infer_sort,
    reference=lambda np, x, axis, descending: (
        np.take_along_axis(x, _argsort(np, x, axis, descending), axis) if x.ndim else x
    ),
    legalize=lambda topi, x, axis, descending: topi.sort(x, axis, not descending) if x.ndim else NotImplemented,
    doc="The elements sorted along an axis.",
)
topk = Operator(
    "topk",
    'data: Expr, k: int = 1, axis: int = -1, ret_type: str = "both", largest: bool = True, dtype: dtype = "int32"',
    _infer_topk,
    reference=_compute_topk,
    legalize=_legalize_topk,
    doc="The k largest or smallest elements and their indices; all elements where k is not positive.",
)
