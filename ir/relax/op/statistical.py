"""Reductions over axes, and cumulative scans along an axis."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tvmscript.ir.core import INT64, VOID, DType
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, PrimValue
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.axis_mapping import map_reduction_axes
from tvmscript.ir.relax.operator import Array, Gradient, Legalize, Operator, Reference
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Expr, IntImm, cast


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


def _reduction_operator(
    name: str, reference: Reference, doc: str, legalize: Legalize | None = None, gradient: Gradient | None = None
) -> Operator:
    """Return an operator whose kernel is that of its name in the inventory, unless `legalize` says another one."""
    return Operator(
        name,
        "x: Expr, axis: ints | None = None, keepdims: bool = False",
        _infer_reduction,
        layout="reduction",
        mapped_axes=map_reduction_axes,
        reference=reference,
        legalize=legalize or (lambda topi, x, axis, keepdims: getattr(topi, name)(x, axis, keepdims)),
        gradient=gradient,
        doc=doc,
    )


def _scan_operator(name: str, reference: Reference, doc: str, gradient: Gradient | None = None) -> Operator:
    return Operator(
        name,
        "data: Expr, axis: int | None = None, dtype: dtype | None = None, exclusive: int | None = None",
        _infer_scan,
        reference=reference,
        legalize=lambda topi, x, axis, dtype, exclusive: getattr(topi, name)(
            x, axis, None if dtype is VOID else dtype, exclusive
        ),
        gradient=gradient,
        doc=doc,
    )


def _with_reduced_axes(adjoint: Adjoint, value: RelaxExpr) -> RelaxExpr:
    """Return a value of the shape of the result with reduced axes of extent 1."""
    axis, keepdims = adjoint.call.attrs["axis"], adjoint.call.attrs["keepdims"]
    return value if axis is None or keepdims else apply("expand_dims", value, axis=axis)


def _spread(adjoint: Adjoint, value: RelaxExpr) -> RelaxExpr:
    """Broadcast a value of the shape of the result over the reduced axes."""
    return apply("broadcast_to", _with_reduced_axes(adjoint, value), adjoint.extents())


def _reduced_count(adjoint: Adjoint) -> Expr:
    """Return the number of elements that are reduced to one."""
    axis, extents = adjoint.call.attrs["axis"], adjoint.extents()
    return simplify_size(rules.num_elements(extents if axis is None else [extents[at] for at in axis]))


def _number(adjoint: Adjoint, count: Expr) -> RelaxExpr:
    """Return a number of elements in the dtype of the data."""
    return adjoint.scalar(count.value) if isinstance(count, IntImm) else PrimValue(cast(_dtype_of(adjoint), count))


def _dtype_of(adjoint: Adjoint) -> DType:
    return rules.expect_tensor(adjoint.call).dtype


def _differentiate_variance(adjoint: Adjoint) -> tuple[RelaxExpr]:
    """Return gradient * (2 / n * x - 2 / n**2 * sum(x)) for n elements that are reduced to one."""
    axis, count = adjoint.call.attrs["axis"], _reduced_count(adjoint)
    gradient: Any = _with_reduced_axes(adjoint, adjoint.gradient)
    total = apply("sum", adjoint.x, axis=axis, keepdims=True)
    if isinstance(count, IntImm):
        scale: Any = adjoint.scalar(2 / count.value)
        scale_of_total: Any = adjoint.scalar(2 / count.value**2)
    else:
        scale = adjoint.emit(adjoint.scalar(2) / _number(adjoint, count))
        scale_of_total = scale / _number(adjoint, count)
    return (gradient * (scale * adjoint.x - scale_of_total * total),)


def _differentiate_cumsum(adjoint: Adjoint) -> tuple[RelaxExpr]:
    """Return the cumulative sum from the end: the sum without the cumulative sum before the element."""
    gradient: Any = adjoint.gradient
    axis = adjoint.call.attrs["axis"]
    sums = apply("sum", gradient, axis=axis, keepdims=True)
    result: RelaxExpr = sums - apply("cumsum", gradient, axis=axis)
    if not adjoint.call.attrs["exclusive"]:
        result = result + (apply("flatten", gradient) if axis is None else gradient)
    if axis is None:
        result = apply("reshape", result, adjoint.extents())
    return (apply("astype", result, _dtype_of(adjoint)),)


max = _reduction_operator(
    "max", lambda np, x, axis, keepdims: np.max(x, axis, keepdims=keepdims), "The largest element."
)
mean = _reduction_operator(
    "mean",
    lambda np, x, axis, keepdims: np.mean(x, axis, keepdims=keepdims).astype(x.dtype),
    "The mean.",
    lambda topi, x, axis, keepdims: topi.graph.mean(x, axis, keepdims),
    lambda a: (_spread(a, a.gradient / _number(a, _reduced_count(a))),),
)
median = Operator(
    "median",
    "x: Expr, axis: ints | None = None, keepdims: bool = False",
    _infer_median,
    reference=_compute_median,
    legalize=lambda topi, x, axis, keepdims: topi.graph.median(x, axis, keepdims),
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
sum = _reduction_operator(
    "sum",
    lambda np, x, axis, keepdims: np.sum(x, axis, x.dtype, keepdims=keepdims),
    "The sum.",
    gradient=lambda a: (_spread(a, a.gradient),),
)
variance = _reduction_operator(
    "variance",
    lambda np, x, axis, keepdims: np.var(x, axis, keepdims=keepdims).astype(x.dtype),
    "The variance.",
    lambda topi, x, axis, keepdims: topi.graph.variance(x, axis, keepdims),
    _differentiate_variance,
)


cumprod = _scan_operator("cumprod", _scan_reference("cumprod", 1), "Cumulative products along an axis.")
cumsum = _scan_operator("cumsum", _scan_reference("cumsum", 0), "Cumulative sums along an axis.", _differentiate_cumsum)
