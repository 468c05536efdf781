"""`rewrite_bindings`: replace values of a dataflow block that match a graph of patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.dpl.context import GraphMatches, PatternContext
from tvmscript.ir.relax.expr import DataflowBlock, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.rewriters.block_rewriter import BlockRewriter

#: (pattern -> variable, variable of the block -> its value) -> variable -> its new value
RewriteBindings = Callable[[GraphMatches, Mapping[Var, RelaxExpr]], Mapping[Var, RelaxExpr]]


def rewrite_bindings(ctx: PatternContext, rewriter: RewriteBindings, func: Function) -> Function:
    """Replace the values of variables in each dataflow block where the patterns of a context match, until nothing
    matches or a replacement changes nothing. Unused bindings are removed. A binding whose new value uses variables that
    are bound later follows them. Raises `UndefinedValue` where new values depend on each other.
    """
    rewritten: Function = _BindingRewriter(ctx, rewriter).rewrite(func)
    return remove_all_unused(rewritten)


class _BindingRewriter(BlockRewriter):
    """Rewrites dataflow blocks."""

    def __init__(self, ctx: PatternContext, rewriter: RewriteBindings) -> None:
        super().__init__()
        self.ctx = ctx
        self.rewriter = rewriter

    def new_values(self, block: DataflowBlock) -> Mapping[Var, RelaxExpr]:
        matches = self.ctx.match_dfb(block)
        bindings: Any = block.bindings
        values: dict[Var, RelaxExpr] = {binding.var: binding.value for binding in bindings}
        return {} if matches is None else self.rewriter(matches, values)
