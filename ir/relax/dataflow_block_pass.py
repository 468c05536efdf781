"""User-defined passes over dataflow blocks: `@dataflowblock_pass`."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Final

from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, DataflowVar, MatchCast, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.decorators import PassDecorator, UserPass


class DataflowBlockPass(UserPass):
    """A pass created by `dataflowblock_pass`: it transforms each dataflow block separately."""

    @abstractmethod
    def transform_dataflowblock(self, block: DataflowBlock, mod: IRModule, ctx: PassContext) -> DataflowBlock:
        """Return the transformed block, which has the same outputs."""

    def run(self, mod: IRModule) -> IRModule:
        rewriter = _BlockTransformer(self, mod)
        functions: dict[Any, Any] = {
            var: rewriter.rewrite(func) if isinstance(func, Function) else func for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)


class _BlockTransformer(RelaxRewriter):
    """Rewriter of functions that calls a pass on each dataflow block."""

    def __init__(self, user_pass: DataflowBlockPass, mod: IRModule) -> None:
        super().__init__()
        self._pass, self._mod, self._context = user_pass, mod, PassContext.current()

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of the transformed block. Raises `WrongType` for another value, or for other outputs."""
        if not isinstance(node, DataflowBlock):
            super().block(node)
            return
        new_block = self._pass.transform_dataflowblock(node, self._mod, self._context)
        where = f"the result of the pass {self._pass.info.name}"
        if not isinstance(new_block, DataflowBlock):
            raise WrongType(where=where, expected="a dataflow block", got=repr(new_block))
        old, new = _outputs(node), _outputs(new_block)
        if set(old) != set(new):
            expected = f"a block with the outputs {_names(old)}"
            raise WrongType(where=where, expected=expected, got=f"one with {_names(new)}", span=node.span)
        super().block(new_block)


def _outputs(block: DataflowBlock) -> list[Var]:
    bindings = [binding for binding in block.bindings if isinstance(binding, (VarBinding, MatchCast))]
    return [binding.var for binding in bindings if not isinstance(binding.var, DataflowVar)]


def _names(variables: list[Var]) -> str:
    return ", ".join([var.name_hint for var in variables]) or "none"


#: `@dataflowblock_pass(opt_level=0)` above `f(block, mod, ctx) -> DataflowBlock`, or a class with such a method
#: `transform_dataflowblock`
dataflowblock_pass: Final = PassDecorator[DataflowBlockPass](
    DataflowBlockPass, "transform_dataflowblock", "dataflowblock_pass"
)
