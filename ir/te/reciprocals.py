"""Quotients of floats by constants."""

from __future__ import annotations

from tvmscript.ir.core import on
from tvmscript.ir.tir import Div, Expr, FloatImm, Mul, TirRewriter


class Reciprocals(TirRewriter):
    """Rewriter of quotients of floats by constants to products, as TVM's simplifier has them."""

    @on(Div)
    def quotient(self, node: Div) -> Expr:
        a, b = self.rewrite(node.a), node.b
        if not isinstance(b, FloatImm) or b.value == 0:
            return node.rebuild(a=a, b=self.rewrite(b))
        return Mul(a, FloatImm(b.dtype, 1 / b.value), span=node.span)
