"""Simplification of indices over the enclosing loops, axes and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify
from tvmscript.ir.core import on
from tvmscript.ir.tir import BlockRealize, Call, Expr, For, IfThenElse, IntImm, Range, Stmt, TirRewriter, Var


class ContextualRewriter(TirRewriter):
    """A rewriter that tracks the domains of enclosing loops and axes, and the conditions in force."""

    def __init__(self) -> None:
        super().__init__()
        self.domains: dict[Var, Range] = {}
        self.conditions: list[Expr] = []

    def simplified(self, indices: Sequence[Expr]) -> tuple[Expr, ...]:
        """Simplify indices as iteration maps; a variable with a single value is kept."""
        predicate: Expr = fold.TRUE
        for condition in self.conditions:
            predicate = fold.logical_and(predicate, condition)
        simple = iter_map_simplify(indices, self.domains, predicate)
        return tuple(
            [a if isinstance(a, Var) and isinstance(b, IntImm) else b for a, b in zip(indices, simple, strict=True)]
        )

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.domains[node.loop_var] = Range.from_min_extent(node.min, node.extent)
        stmt: Stmt = self.descend(node)
        del self.domains[node.loop_var]
        return stmt

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        domains = {axis.var: axis.dom for axis in node.block.iter_vars if axis.dom is not None}
        self.domains |= domains
        stmt: Stmt = self.descend(node)
        for var in domains:
            del self.domains[var]
        return stmt

    @on(IfThenElse)
    def choice(self, node: IfThenElse) -> Stmt:
        condition = self.rewrite(node.condition)
        then_case: Stmt = self.rewrite_under(condition, node.then_case)
        else_case = None if node.else_case is None else self.rewrite_under(fold.logical_not(condition), node.else_case)
        if condition is node.condition and then_case is node.then_case and else_case is node.else_case:
            return node
        return IfThenElse(condition, then_case, else_case, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if getattr(node.op, "name", "") != "tir.if_then_else":
            expr: Expr = self.descend(node)
            return expr
        condition = self.rewrite(node.args[0])
        args = (
            condition,
            self.rewrite_under(condition, node.args[1]),
            self.rewrite_under(fold.logical_not(condition), node.args[2]),
        )
        return node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.replace(args=args)

    def rewrite_under(self, condition: Expr, node: Any) -> Any:
        """Rewrite a statement or expression under a condition."""
        self.conditions.append(condition)
        simplified = self.rewrite(node)
        self.conditions.pop()
        return simplified
