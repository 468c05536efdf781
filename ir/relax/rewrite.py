"""`RelaxRewriter`: rewrite graph functions in A-normal form, and update struct info."""

from __future__ import annotations

from tvmscript.ir.core import Rewriter, on, structural_equal
from tvmscript.ir.relax.anf import is_leaf, is_same_sequence
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import are_alike_tensors


class RelaxRewriter(Rewriter):
    """Rebuilds a program in A-normal form, binding by binding. Unchanged nodes are returned as the same objects.

    A rule may call `self.builder.emit(...)`: the new bindings precede the one that is rewritten. A variable whose value
    has new struct info is replaced by a new variable, at its uses too.
    """

    def __init__(self, builder: BlockBuilder | None = None) -> None:
        super().__init__()
        self.builder = builder or BlockBuilder()

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        """Rewrite the blocks, then the result."""

        def fill() -> RelaxExpr:
            for block in node.blocks:
                self.block(block)
            self.builder.begin_block(False)
            return self._rewrite_value(node.body)

        sequence = self.builder.sequence(fill)
        return node if is_same_sequence(node, sequence) else sequence

    @on(Function)
    def function(self, node: Function) -> Function:
        """Rewrite a function; the size variables of its parameters are in scope in its body."""
        params = self.definitions(node.params)
        self.builder.begin_scope(params)
        body = self.rewrite(node.body)
        self.builder.end_scope()
        if params is node.params and body is node.body:
            return node
        ret_struct_info = node.ret_struct_info if body.struct_info is node.body.struct_info else None
        return node.replace(params=params, body=body, ret_struct_info=ret_struct_info)

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of a block."""
        self.builder.begin_block(isinstance(node, DataflowBlock))
        for binding in node.bindings:
            self.rewrite(binding)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        """Emit a binding."""
        value = self._rewrite_value(node.value)
        if value is node.value:
            self.builder.emit_normalized(node)
            return
        var = self.bound(node.var, value)
        self.builder.emit_normalized(node.replace(var=var, value=value))

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        """Emit a cast."""
        value, info = self.value(node.value), self.value(node.struct_info)
        if value is node.value and info is node.struct_info:
            self.builder.emit_normalized(node)
            return
        if value is not node.value and not is_leaf(value):
            value = self.builder.emit_argument(value)
        var = node.var
        if info is not node.struct_info:
            var = self.renamed[var] = var.replace(struct_info=info)
        self.builder.emit_normalized(node.replace(var=var, value=value, struct_info=info))

    def bound(self, var: Var, value: RelaxExpr) -> Var:
        """Return the variable for a value: a new one where the struct info of the value differs."""
        info, bound_info = value.struct_info, var.struct_info
        is_same = info is None or info is bound_info or are_alike_tensors(info, bound_info)
        if is_same or structural_equal(info, bound_info):
            return var
        new_var = var.replace(struct_info=info)
        self.renamed[var] = new_var
        return new_var

    def _rewrite_value(self, node: RelaxExpr) -> RelaxExpr:
        value: RelaxExpr = self.value(node)
        return value if value is node else self.builder.normalize(value)
