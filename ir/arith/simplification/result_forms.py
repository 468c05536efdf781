"""Forms of results that TVM keeps: quotients rounded towards zero, and `x + -1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core import on
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir import Add, Div, Expr, FloorDiv, FloorMod, IntImm, Mod, Sub, TirRewriter

if TYPE_CHECKING:
    from tvmscript.ir.arith.simplification.assumptions import Assumptions

_TRUNCATED = (Div, Mod)
_FLOORED = (FloorDiv, FloorMod)


class _Truncate(TirRewriter):
    """Replace quotients of values that are not negative, where both kinds of rounding agree."""

    def __init__(self, facts: Assumptions) -> None:
        super().__init__()
        self.facts = facts

    @on(FloorDiv, FloorMod)
    def quotient(self, node: FloorDiv | FloorMod) -> Expr:
        if not all(self.facts.bounds_of(operand).within(0, None) for operand in (node.a, node.b)):
            return node
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return (Div if isinstance(node, FloorDiv) else Mod)(a, b, span=node.span)


def keep_truncations(facts: Assumptions, given: Expr, result: Expr) -> Expr:
    """Write the quotients of a result as TVM does: with Div and Mod if the given expression has only these."""
    classes = {type(node) for node in nodes(given)}
    if classes.isdisjoint(_TRUNCATED) or not classes.isdisjoint(_FLOORED):
        return result
    rewritten: Expr = _Truncate(facts).rewrite(result)
    return rewritten


class AddNegatedConstants(TirRewriter):
    """Write `x - 1` as `x + -1`."""

    @on(Sub)
    def difference(self, node: Sub) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        if isinstance(b, IntImm) and b.value > 0 and b.dtype.is_signed:
            return Add(a, IntImm(b.dtype, -b.value), span=node.span)
        return node if a is node.a and b is node.b else Sub(a, b, span=node.span)
