"""Replace calls of operators by calls of kernels that functions of tensors define."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info_lattice import has_known_shapes

#: operator -> (builder, call) -> the call of a kernel
Kernels = Mapping[str, Callable[[BlockBuilder, Call], Call]]


def replace_by_kernels(mod: IRModule, kernels: Kernels) -> IRModule:
    """Replace calls of some operators whose arguments have known shapes."""
    replacer = _Replacer(BlockBuilder(mod), kernels)
    for var, func in mod.functions.items():
        if isinstance(func, Function):
            rewritten = replacer.rewrite(func)
            if rewritten is not func:
                replacer.builder.update_func(var, rewritten)
    return replacer.builder.finalize()


class _Replacer(RelaxRewriter):
    def __init__(self, builder: BlockBuilder, kernels: Kernels) -> None:
        super().__init__(builder)
        self.kernels = kernels

    @on(Call)
    def call(self, node: Call) -> Call:
        call: Call = self.descend(node)
        kernel = self.kernels.get(getattr(call.op, "name", ""))
        if kernel is None or not all(has_known_shapes(arg.struct_info) for arg in call.args):
            return call
        return kernel(self.builder, call)
