"""What the virtual machine runs, `R.vm`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.memory import an_object, dtype_argument, nothing
from tvmscript.ir.relax.op.shape_rules import known, of_ndim, tensor_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ShapeExpr, ShapeStructInfo, TensorStructInfo


def _alloc_tensor(call: Call) -> TensorStructInfo:
    dtype, shape = dtype_argument(call, 3), call.args[2]
    if isinstance(shape, ShapeExpr):
        return TensorStructInfo(shape, dtype)
    found: Any = known(call, 2)
    if isinstance(found, ShapeStructInfo):
        return tensor_of(found.values, found.ndim, dtype)
    return of_ndim(UNKNOWN_NDIM, dtype)


alloc_storage = Operator(
    "vm.alloc_storage",
    "shape: Expr, runtime_device_index: Prim, dtype: DType, storage_scope: Str = 'global'",
    an_object,
    doc="Memory for tensors.",
)
alloc_tensor = Operator(
    "vm.alloc_tensor",
    "storage: Expr, offset: Prim, shape: Shape, dtype: DType",
    _alloc_tensor,
    later="runtime_device_ind: Prim | None = None",
    doc="A tensor in memory that was allocated.",
)
kill_object = Operator("vm.kill_object", "obj: Expr", nothing, pure=False, doc="The value is not used from here on.")
call_tir_dyn = Operator(
    "vm.call_tir_dyn",
    "func: Expr, args: Tuple",
    nothing,
    pure=False,
    doc="Calls a function of the tensor level; a shape among the arguments is handed over as its extents.",
)
