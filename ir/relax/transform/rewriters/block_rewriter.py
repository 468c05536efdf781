"""`BlockRewriter`: replace values of dataflow blocks until nothing changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import structural_equal
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.errors import UndefinedValue
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, Var, VarBinding
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.rewriters.bindings_in_order import bindings_in_order
from tvmscript.ir.relax.transform.rewriters.shared_emitter import SharedEmitter


class BlockRewriter(RelaxRewriter, ABC):
    """Rewriter of dataflow blocks. Bindings follow those that their new values use."""

    @abstractmethod
    def new_values(self, block: DataflowBlock) -> Mapping[Var, RelaxExpr]:
        """Return new values of some variables of a block; none where it stays."""

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of a block with all replacements. Raises `UndefinedValue`."""
        if isinstance(node, DataflowBlock):
            while (replaced := self._replace(node)) is not node:
                node = replaced
        super().block(node)

    def _replace(self, block: DataflowBlock) -> DataflowBlock:
        """Return the block with some values replaced, the same object if that changes nothing."""
        bindings: Any = block.bindings
        values = self.new_values(block)
        new_values = {
            binding.var: values[binding.var]
            for binding in bindings
            if binding.var in values and not structural_equal(values[binding.var], binding.value)
        }
        if not new_values:
            return block
        order = bindings_in_order(bindings, new_values)
        if order is None:
            raise UndefinedValue(name=next(iter(new_values)).name_hint, span=block.span)
        self.builder.begin_scope(())
        self.builder.push_sequence(True)
        emitter = SharedEmitter(self.builder, self.renamed)
        for binding in order:
            is_new = binding.var in new_values
            value = emitter.outermost(new_values[binding.var]) if is_new else self.value(binding.value)
            if value is binding.value:
                self.builder.emit_normalized(binding)
            else:
                var = self.bound(binding.var, value) if isinstance(binding, VarBinding) else binding.var
                self.builder.emit_normalized(binding.replace(var=var, value=value))
        (new_block,) = self.builder.pop_sequence()
        self.builder.end_scope()
        assert isinstance(new_block, DataflowBlock)
        return new_block
