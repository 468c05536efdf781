"""Set operators: unique, nonzero, size."""

from __future__ import annotations

from types import ModuleType

from tvmscript.ir.core import INT64
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, PrimValue
from tvmscript.ir.relax.op.shape_rules import (
    ONE,
    describe_kind,
    expect_tensor,
    normalize_axis,
    struct_info_of,
    tensor_of_ndim,
    tensor_of_shape,
)
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import IntImm


def _infer_unique(call: Call) -> StructInfo:
    info = expect_tensor(call)
    flags = [_expect_constant(call, position) for position in range(1, 5)]
    places = tensor_of_shape([ONE], INT64, info.vdevice) if info.ndim == 0 else tensor_of_ndim(1, INT64, info.vdevice)
    fields = [_infer_values(call, info), *[places for flag in flags[1:] if flag]]
    return fields[0] if len(fields) == 1 else TupleStructInfo(tuple(fields))


def _infer_values(call: Call, info: TensorStructInfo) -> TensorStructInfo:
    if len(call.args) > 5:
        normalize_axis(call, "axis", _expect_constant(call, 5), info.ndim)
        return tensor_of_ndim(info.ndim, info.dtype, info.vdevice)
    if info.ndim == 0:
        return tensor_of_shape([ONE], info.dtype, info.vdevice)
    return tensor_of_ndim(1, info.dtype, info.vdevice)


def _expect_constant(call: Call, position: int) -> int:
    argument = call.args[position]
    if isinstance(argument, PrimValue) and isinstance(argument.value, IntImm):
        return argument.value.value
    raise invalid_argument(call, position, "a constant (R.prim_value)", describe_kind(struct_info_of(call, position)))


def _infer_nonzero(call: Call) -> StructInfo:
    return tensor_of_ndim(2, INT64, expect_tensor(call).vdevice)


def _infer_size(call: Call) -> StructInfo:
    return tensor_of_shape((), INT64, expect_tensor(call).vdevice)


def _compute_unique(
    np: ModuleType, x: Array, is_sorted: int, index: int, inverse: int, counts: int, axis: int | None = None
) -> Array:
    """Compute by NumPy, which always sorts; inverse indices are flattened."""
    results = np.unique(x, bool(index), bool(inverse), bool(counts), axis)
    return tuple([result.reshape(-1) for result in results]) if inverse and axis is None else results


nonzero = Operator(
    "nonzero",
    "x: Expr",
    _infer_nonzero,
    reference=lambda np, x: np.stack(np.nonzero(np.atleast_1d(x))),
    doc="The indices of the nonzero elements, one row for each axis.",
)
size = Operator(
    "size",
    "expr: Expr",
    _infer_size,
    reference=lambda np, x: np.array(x.size, "int64"),
    legalize=lambda topi, x: topi.ndarray_size(x, "int64"),
    doc="The number of elements.",
)
unique = Operator(
    "unique",
    "x: Expr, sorted: Prim = True, return_index: Prim = False, return_inverse: Prim = False, "
    "return_counts: Prim = False, axis: Prim | None = None",
    _infer_unique,
    reference=_compute_unique,
    doc="The distinct elements; on request also the index of each first occurrence, the index of every element among "
    "them, and the counts.",
)
