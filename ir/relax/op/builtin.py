"""Operators that passes insert, `R.builtin`."""

from __future__ import annotations

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.axis_mapping import map_same_axes
from tvmscript.ir.relax.op.memory import dtype_argument
from tvmscript.ir.relax.op.shape_rules import describe_kind, infer_same, struct_info_of
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo


def _infer_alloc_tensor(call: Call) -> TensorStructInfo:
    shape = call.args[0]
    if not isinstance(shape, ShapeExpr):
        raise invalid_argument(call, 0, "a shape literal (R.shape)", describe_kind(struct_info_of(call, 0)))
    return TensorStructInfo(shape, dtype_argument(call, 1))


alloc_tensor = Operator(
    "builtin.alloc_tensor",
    "shape: Shape, dtype: DType, runtime_device_index: Prim, storage_scope: Str = 'global'",
    _infer_alloc_tensor,
    doc="Allocate a tensor.",
)
stop_lift_params = Operator(
    "builtin.stop_lift_params",
    "x: Expr",
    infer_same,
    mapped_axes=map_same_axes,
    reference=lambda np, x: x,
    doc="The tensor; computations on it are not lifted into the parameter transformation.",
)
