"""`rewrite_call`: replace values that match a pattern."""

from __future__ import annotations

from tvmscript.ir.relax.dpl.pattern import DFPattern
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.rewriters.pattern_matching_rewriter import ExprPatternRewriter, RewriteExpr


def rewrite_call(pattern: DFPattern, rewriter: RewriteExpr, func: Function) -> Function:
    """Replace the bound values that match a pattern, until no replacement changes the function.

    After each round bindings are canonicalized and equal values merged. Unused bindings are removed in any case.
    """
    return ExprPatternRewriter(pattern, rewriter).rewrite(func)
