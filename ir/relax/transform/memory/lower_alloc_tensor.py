"""LowerAllocTensor: allocate storage for each tensor that memory planning has left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import DType, IRModule, on
from tvmscript.ir.relax.expr import Call, DataTypeImm, PrimValue
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import builtin, memory
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.memory.common.sizes import num_bytes


@dataclass(frozen=True)
class LowerAllocTensor(RelaxFunctionPass):
    """Lower `R.builtin.alloc_tensor` to storage of bytes, and a tensor in it.

    rewrite:
        x = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), ...)
          -->  storage = R.memory.alloc_storage(R.shape([16]), ..., R.dtype("uint8"))
               x = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"))
    """

    name = "relax.LowerAllocTensor"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        lowered: Function = _Lowering().rewrite(func)
        return lowered


class _Lowering(RelaxRewriter):
    """Rewriter of allocations."""

    @on(Call)
    def call(self, node: Call) -> Any:
        call = self.descend(node)
        if call.op is not builtin.alloc_tensor:
            return call
        args: Any = call.args
        shape, dtype, device, scope = args
        size = ShapeExpr((num_bytes(shape.values, dtype.value),))
        storage = self.builder.emit(
            Call(memory.alloc_storage, [size, device, scope, DataTypeImm(DType("uint8"))]), "storage"
        )
        return Call(memory.alloc_tensor, [storage, PrimValue(0), shape, dtype])
