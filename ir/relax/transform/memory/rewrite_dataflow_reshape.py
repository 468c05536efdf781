"""RewriteDataflowReshape: turn kernels that only reshape into views of memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.analysis.reshape import has_reshape_pattern
from tvmscript.ir.relax.expr import Call, DataflowVar, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import match_call_tir
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.memory.common.sizes import num_bytes


@dataclass(frozen=True)
class RewriteDataflowReshape(RelaxFunctionPass):
    """Replace calls of kernels that copy their argument in linear order, whose result stays in its dataflow block.

    rewrite:
        y = R.call_tir(cls.reshape, (x,), R.Tensor((8,), "float32"))  -->  y = R.reshape(x, R.shape([8]))
    """

    name = "relax.RewriteDataflowReshape"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        rewritten: Function = _Reshapes(mod).rewrite(func)
        return rewritten


class _Reshapes(RelaxRewriter):
    """Rewriter of bindings of dataflow variables."""

    def __init__(self, mod: IRModule) -> None:
        super().__init__()
        self.mod = mod

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        view = self._view(node.value) if isinstance(node.var, DataflowVar) else None
        super().var_binding(node if view is None else node.replace(value=view))

    def _view(self, call: Any) -> Call | None:
        """Return the view that a call computes, None where it is none."""
        kernel_call = match_call_tir(call, self.mod)
        if kernel_call is None or not kernel_call.arguments:
            return None
        kernel, data = kernel_call.kernel, kernel_call.arguments[0]
        (info,) = call.sinfo_args
        if not isinstance(info, TensorStructInfo):
            return None
        given = data.struct_info
        if not isinstance(given, TensorStructInfo) or given.dtype is not info.dtype or not has_reshape_pattern(kernel):
            return None
        before, after = num_bytes(given.extents or (), given.dtype), num_bytes(info.extents or (), info.dtype)
        if given.extents is None or not provably_equal(before, after):
            return None
        shape: Any = info.shape
        return Call(reshape, [data, shape])
