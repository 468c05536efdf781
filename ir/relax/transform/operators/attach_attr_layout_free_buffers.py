"""AttachAttrLayoutFreeBuffers: mark the buffers of kernels that hold weights."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Constant, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import match_call_tir
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import weights
from tvmscript.ir.tir import rename_definitions
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class AttachAttrLayoutFreeBuffers(Pass):
    """Call kernels by copies with the attribute `layout_free_buffers`: the positions of arguments that are constants or
    weights, whose layouts a schedule may choose. Weights are the parameters after the first `num_input` ones.

    Calls with the same positions share a copy; the kernels stay, until `relax.DeadCodeElimination` removes them. Raises
    `TooManyRuntimeInputs`.

    rewrite:
        R.call_tir(cls.matmul, (x, w), ...)  -->  R.call_tir(cls.matmul1, (x, w), ...)
                                                  def matmul1: T.func_attr({"layout_free_buffers": [1]})
    """

    name = "relax.AttachAttrLayoutFreeBuffers"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                attached = _Attacher(builder, mod, set(weights(func, var.name_hint))).rewrite(func)
                if attached is not func:
                    builder.update_func(var, attached)
        return builder.finalize()


class _Attacher(RelaxRewriter):
    """Rewriter of the calls of kernels."""

    def __init__(self, builder: BlockBuilder, mod: IRModule, free: set[Var]) -> None:
        super().__init__(builder)
        self.mod = mod
        #: parameters that are weights
        self.free = free

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        kernel_call = match_call_tir(call, self.mod)
        if kernel_call is None:
            return call
        fields = kernel_call.arguments
        places = [place for place, field in enumerate(fields) if isinstance(field, Constant) or field in self.free]
        copy = rename_definitions(kernel_call.kernel.with_attr("layout_free_buffers", places))
        attached = self.builder.add_func(copy, kernel_call.symbol.name_hint)
        return call.replace(args=(attached, *call.args[1:]), struct_info=call.struct_info)
