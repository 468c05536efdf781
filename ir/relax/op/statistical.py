"""Reductions over axes, and cumulative scans along an axis."""

from __future__ import annotations

from types import ModuleType

from tvmscript.ir.core import INT64, VOID, DType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.axis_mapping import map_reduction_axes
from tvmscript.ir.relax.operator import Array, Legalize, Operator, Reference
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo, TupleStructInfo


def infer_reduced(call: Call, info: TensorStructInfo, axes: tuple[int, ...] | None, dtype: DType) -> TensorStructInfo:
    """Infer the reduced tensor: axes are removed, or kept with extent 1 if `keepdims`. `axes` None means all."""
    keepdims: bool = call.attrs["keepdims"]
    reduced = None if axes is None else rules.normalize_axes(call, "axis", axes, info.ndim)
    if info.ndim == UNKNOWN_NDIM:
        return rules.make_tensor(() if reduced is None and not keepdims else None, UNKNOWN_NDIM, dtype, info.vdevice)
    if reduced is None:
        return rules.make_tensor((rules.ONE,) * info.ndim if keepdims else (), info.ndim, dtype, info.vdevice)
    if info.extents is None:
        return rules.tensor_of_ndim(info.ndim if keepdims else info.ndim - len(reduced), dtype, info.vdevice)
    kept = [rules.ONE if axis in reduced else extent for axis, extent in enumerate(info.extents)]
    extents = kept if keepdims else [extent for axis, extent in enumerate(kept) if axis not in reduced]
    return rules.make_tensor(tuple(extents), len(extents), dtype, info.vdevice)


def _infer_reduction(call: Call) -> TensorStructInfo:
    info = rules.expect_tensor(call)
    return infer_reduced(call, info, call.attrs["axis"], info.dtype)


def _infer_median(call: Call) -> StructInfo:
    """Infer the values, and for a single axis also their indices."""
    info, axes = rules.expect_tensor(call), call.attrs["axis"]
    values = infer_reduced(call, info, axes, info.dtype)
    if axes is None or len(axes) != 1:
        return values
    return TupleStructInfo((values, rules.with_dtype(values, INT64)))


def _infer_scan(call: Call) -> TensorStructInfo:
    info = rules.expect_tensor(call)
    dtype, axis = rules.dtype_attr(call, info.dtype), call.attrs["axis"]
    if axis is not None:
        rules.normalize_axis(call, "axis", axis, info.ndim)
        return TensorStructInfo(info.shape, dtype, info.ndim, info.vdevice)
    extents = info.extents
    return rules.make_tensor(None if extents is None else (rules.num_elements(extents),), 1, dtype, info.vdevice)


def _compute_median(np: ModuleType, x: Array, axis: tuple[int, ...] | None, keepdims: bool) -> Array:
    """Compute the lower median, and for a single axis also its index."""
    if axis is not None and len(axis) == 1:
        order = np.argsort(x, axis[0], kind="stable")
        place = np.take(order, [(x.shape[axis[0]] - 1) // 2], axis[0])
        both = np.take_along_axis(x, place, axis[0]), place
        return both if keepdims else tuple([np.squeeze(result, axis[0]) for result in both])
    return np.quantile(x, 0.5, axis, method="lower", keepdims=keepdims).astype(x.dtype)


def _scan_reference(name: str, start: int) -> Reference:
    """Return the reference by a NumPy scan. An exclusive scan starts with the neutral element `start`."""

    def reference(np: ModuleType, x: Array, axis: int | None, dtype: DType, exclusive: int | None) -> Array:
        flat, along = (x.reshape(-1), 0) if axis is None else (x, axis)
        whole = getattr(np, name)(flat, along, flat.dtype if dtype is VOID else dtype)
        if not exclusive:
            return whole
        before = whole.take(range(whole.shape[along] - 1), along)
        first = np.full_like(whole.take(range(whole.shape[along] > 0), along), start)
        return np.concatenate([first, before], along)

    return reference


def _reduction_operator(name: str, reference: Reference, doc: str, legalize: Legalize | None = None) -> Operator:
    """Return an operator whose kernel is that of its name in the inventory, unless `legalize` says another one."""
    return Operator(
        name,
        "x: Expr, axis: ints | None = None, keepdims: bool = False",
        _infer_reduction,
        layout="reduction",
        mapped_axes=map_reduction_axes,
        reference=reference,
        legalize=legalize or (lambda topi, x, axis, keepdims: getattr(topi, name)(x, axis, keepdims)),
        doc=doc,
    )


def _scan_operator(name: str, reference: Reference, doc: str) -> Operator:
    return Operator(
        name,
        "data: Expr, axis: int | None = None, dtype: dtype | None = None, exclusive: int | None = None",
        _infer_scan,
        reference=reference,
        legalize=lambda topi, x, axis, dtype, exclusive: getattr(topi, name)(
            x, axis, None if dtype is VOID else dtype, exclusive
        ),
        doc=doc,
    )


max = _reduction_operator(
    "max", lambda np, x, axis, keepdims: np.max(x, axis, keepdims=keepdims), "The largest element."
)
mean = _reduction_operator(
    "mean",
    lambda np, x, axis, keepdims: np.mean(x, axis, keepdims=keepdims).astype(x.dtype),
    "The mean.",
    lambda topi, x, axis, keepdims: topi.graph.mean(x, axis, keepdims),
)
median = Operator(
    "median",
    "x: Expr, axis: ints | None = None, keepdims: bool = False",
    _infer_median,
    reference=_compute_median,
    doc="The median, the lower one of two; along one axis also its index.",
)
min = _reduction_operator(
    "min", lambda np, x, axis, keepdims: np.min(x, axis, keepdims=keepdims), "The smallest element."
)
prod = _reduction_operator(
    "prod", lambda np, x, axis, keepdims: np.prod(x, axis, x.dtype, keepdims=keepdims), "The product."
)
std = _reduction_operator(
    "std",
    lambda np, x, axis, keepdims: np.std(x, axis, keepdims=keepdims).astype(x.dtype),
    "The standard deviation.",
    lambda topi, x, axis, keepdims: topi.sqrt(topi.graph.variance(x, axis, keepdims)),
)
sum = _reduction_operator("sum", lambda np, x, axis, keepdims: np.sum(x, axis, x.dtype, keepdims=keepdims), "The sum.")
variance = _reduction_operator(
    "variance",
    lambda np, x, axis, keepdims: np.var(x, axis, keepdims=keepdims).astype(x.dtype),
    "The variance.",
    lambda topi, x, axis, keepdims: topi.graph.variance(x, axis, keepdims),
)


cumprod = _scan_operator("cumprod", _scan_reference("cumprod", 1), "Cumulative products along an axis.")
cumsum = _scan_operator("cumsum", _scan_reference("cumsum", 0), "Cumulative sums along an axis.")
