"""Rewriting programs of the graph level: what is known of values follows their changes."""

from __future__ import annotations

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.visit import Rewriter, on
from tvmscript.ir.relax.anf import is_same_sequence
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function


class RelaxRewriter(Rewriter):
    """Rebuilds a program in normal form, binding by binding; what does not change is returned as it is.

    A rule may `self.builder.emit(...)`: the bindings stand in front of the one that is rewritten. A variable whose
    value is known to be something else than before becomes a new variable; its uses follow.
    """

    def __init__(self, builder: BlockBuilder | None = None) -> None:
        super().__init__()
        self.builder = builder or BlockBuilder()

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        """The blocks, then the value that they lead to."""

        def fill() -> RelaxExpr:
            for block in node.blocks:
                self.block(block)
            self.builder.begin_block(False)
            return self._value_of(node.body)

        made = self.builder.sequence(fill)
        return node if is_same_sequence(node, made) else made

    @on(Function)
    def function(self, node: Function) -> Function:
        """A function; the size variables of its parameters are seen in it."""
        params = self.definitions(node.params)
        self.builder.begin_scope(params)
        body = self.rewrite(node.body)
        self.builder.end_scope()
        if params is node.params and body is node.body:
            return node
        kept = node.ret_struct_info if body.struct_info is node.body.struct_info else None
        return node.replace(params=params, body=body, ret_struct_info=kept)

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of a block."""
        self.builder.begin_block(isinstance(node, DataflowBlock))
        for binding in node.bindings:
            self.rewrite(binding)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        """Emit a binding."""
        value = self._value_of(node.value)
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
        var = node.var
        if info is not node.struct_info:
            var = self.renamed[var] = var.replace(struct_info=info)
        self.builder.emit_normalized(node.replace(var=var, value=value, struct_info=info))

    def bound(self, var: Var, value: RelaxExpr) -> Var:
        """The variable of a value: a new one where something else is known of the value than of the variable."""
        info = value.struct_info
        if info is None or info is var.struct_info or structural_equal(info, var.struct_info):
            return var
        made = var.replace(struct_info=info)
        self.renamed[var] = made
        return made

    def _value_of(self, node: RelaxExpr) -> RelaxExpr:
        made: RelaxExpr = self.value(node)
        return made if made is node else self.builder.normalize(made)
