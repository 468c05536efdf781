"""Search and selection: argmax, argmin, bucketize, where."""

from __future__ import annotations

from tvmscript.ir.core import BOOL, INT32, INT64, VOID
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import apply
from tvmscript.ir.relax.op.statistical import infer_reduced
from tvmscript.ir.relax.operator import Operator, Reference, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM


def _infer_arg_reduction(call: Call) -> StructInfo:
    info, axis = rules.expect_tensor(call), call.attrs["axis"]
    dtype = info.extents[0].dtype if info.extents else INT64
    return infer_reduced(call, info, None if axis is None else (axis,), dtype)


def _infer_where(call: Call) -> StructInfo:
    condition, left, right = (rules.expect_tensor(call, position) for position in range(3))
    vdevice = rules.unify_vdevices(call, (condition, left, right))
    if condition.dtype is not BOOL:
        raise invalid_argument(call, 0, "bool", condition.dtype)
    dtype = left.dtype if left.dtype is right.dtype else VOID
    if VOID not in (left.dtype, right.dtype) and dtype is VOID:
        raise invalid_argument(call, 2, f"{left.dtype}, as x1", right.dtype)
    ndim = rules.max_ndim(condition.ndim, left.ndim, right.ndim)
    if condition.extents is None or left.extents is None or right.extents is None:
        return rules.tensor_of_ndim(ndim, dtype, vdevice)
    chosen = rules.broadcast_extents(call, 2, left.extents, right.extents)
    extents = None if chosen is None else rules.broadcast_extents(call, 1, condition.extents, chosen)
    return (
        rules.tensor_of_ndim(ndim, dtype, vdevice)
        if extents is None
        else rules.tensor_of_shape(extents, dtype, vdevice)
    )


def _infer_bucketize(call: Call) -> StructInfo:
    info, boundaries = rules.expect_tensor(call), rules.expect_tensor(call, 1)
    if boundaries.ndim not in (1, UNKNOWN_NDIM):
        raise invalid_argument(call, 1, "a tensor of 1 dimension", boundaries.ndim)
    return rules.with_dtype(info, INT32 if call.attrs["out_int32"] else INT64)


def _arg_operator(name: str, reference: Reference, doc: str) -> Operator:
    return Operator(
        name,
        "x: Expr, axis: int | None = None, keepdims: bool = False",
        _infer_arg_reduction,
        reference=reference,
        legalize=lambda topi, x, axis, keepdims: getattr(topi, name)(x, axis, keepdims),
        doc=doc,
    )


argmax = _arg_operator(
    "argmax", lambda np, x, axis, keepdims: np.argmax(x, axis, keepdims=keepdims), "The index of the largest element."
)
argmin = _arg_operator(
    "argmin", lambda np, x, axis, keepdims: np.argmin(x, axis, keepdims=keepdims), "The index of the smallest element."
)
bucketize = Operator(
    "bucketize",
    "input_tensor: Expr, boundaries: Expr, out_int32: bool = False, right: bool = False",
    _infer_bucketize,
    reference=lambda np, x, boundaries, out_int32, right: np.searchsorted(
        boundaries, x, "right" if right else "left"
    ).astype("int32" if out_int32 else "int64"),
    legalize=lambda topi, x, boundaries, out_int32, right: topi.searchsorted(
        boundaries, x, right, "int32" if out_int32 else "int64"
    ),
    doc="The bucket of each element among sorted boundaries.",
)
where = Operator(
    "where",
    "condition: Expr, x1: Expr, x2: Expr",
    _infer_where,
    reference=lambda np, condition, a, b: np.where(condition, a, b),
    legalize=lambda topi, condition, a, b: topi.where(condition, a, b),
    gradient=lambda a: (
        None,
        a.sum_to_argument(apply("where", a.x, a.gradient, a.scalar(0, 1)), 1),
        a.sum_to_argument(apply("where", a.x, a.scalar(0, 2), a.gradient), 2),
    ),
    doc="Elements of x1 where the condition holds, of x2 elsewhere.",
)
