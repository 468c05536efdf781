"""Operators of the virtual machine, `R.vm`."""

from __future__ import annotations

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.memory import dtype_argument, infer_empty_tuple, infer_object
from tvmscript.ir.relax.op.shape_rules import make_tensor, struct_info_of, tensor_of_ndim
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ShapeExpr, ShapeStructInfo, TensorStructInfo


def _infer_alloc_tensor(call: Call) -> TensorStructInfo:
    dtype, shape = dtype_argument(call, 3), call.args[2]
    if isinstance(shape, ShapeExpr):
        return TensorStructInfo(shape, dtype)
    info = struct_info_of(call, 2)
    if isinstance(info, ShapeStructInfo):
        return make_tensor(info.values, info.ndim, dtype)
    return tensor_of_ndim(UNKNOWN_NDIM, dtype)


alloc_storage = Operator(
    "vm.alloc_storage",
    "shape: Expr, runtime_device_index: Prim, dtype: DType, storage_scope: Str = 'global'",
    infer_object,
    doc="Allocate storage for tensors.",
)
alloc_tensor = Operator(
    "vm.alloc_tensor",
    "storage: Expr, offset: Prim, shape: Shape, dtype: DType",
    _infer_alloc_tensor,
    v0_27_parameters="runtime_device_ind: Prim | None = None",
    doc="Create a tensor in allocated storage.",
)
kill_object = Operator("vm.kill_object", "obj: Expr", infer_empty_tuple, pure=False, doc="End the lifetime of a value.")
call_tir_dyn = Operator(
    "vm.call_tir_dyn",
    "func: Expr, args: Tuple",
    infer_empty_tuple,
    pure=False,
    doc="Call a PrimFunc; a shape argument is passed as its extents.",
)
