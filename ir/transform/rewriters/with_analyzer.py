"""Rewriters that fold constant conditions; one of them feeds loops and conditions to an `Analyzer`."""

from __future__ import annotations

from operator import is_

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core import Op, on
from tvmscript.ir.tir import NOOP, Call, Expr, IntImm, IterVar, PrimFunc, Range, Select, Stmt, TirRewriter, Var, uses
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, Block, For, IfThenElse, LetStmt, While


class ConditionFolder(TirRewriter):
    """Replace branches, `Select` and `if_then_else` with a constant condition by the value that is taken."""

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition: Expr = self.rewrite(node.condition)
        taken = constant_condition(condition)
        if taken is None:
            return self.branches(node, condition)
        chosen = node.then_case if taken else node.else_case
        return NOOP if chosen is None else self.rewrite(chosen)

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        """Rewrite both branches of an `if` whose condition is not constant."""
        then_case = self.rewrite(node.then_case)
        else_case = None if node.else_case is None else self.rewrite(node.else_case)
        return node.rebuild(condition=condition, then_case=then_case, else_case=else_case)

    @on(Select)
    def select(self, node: Select) -> Expr:
        """Fold a Select. Both values are evaluated, so neither may rely on the condition."""
        parts = (node.condition, node.true_value, node.false_value)
        condition: Expr = self.rewrite(node.condition)
        taken = constant_condition(condition)
        if taken is not None:
            return self.rewrite(node.true_value if taken else node.false_value)
        new_parts = (condition, *self.select_values(*parts))
        return node if all(map(is_, new_parts, parts)) else Select(*new_parts, span=node.span)

    def select_values(self, condition: Expr, yes: Expr, no: Expr) -> tuple[Expr, Expr]:
        """Rewrite the values of a Select."""
        return self.rewrite(yes), self.rewrite(no)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if not isinstance(node.op, Op) or node.op.name != "tir.if_then_else":
            args = self._tuple(node.args, self.rewrite)
            return node if args is node.args else Call(node.dtype, node.op, args, node.span)
        condition: Expr = self.rewrite(node.args[0])
        taken = constant_condition(condition)
        if taken is not None:
            return self.rewrite(node.args[1 if taken else 2])
        new_args = (condition, self.then_value(condition, node.args[1]), self.rewrite(node.args[2]))
        return node if all(map(is_, new_args, node.args)) else Call(node.dtype, node.op, new_args, node.span)

    def then_value(self, condition: Expr, value: Expr) -> Expr:
        """Rewrite the value of `if_then_else` for a true condition."""
        return self.rewrite(value)


class AnalyzedRewriter(ConditionFolder):
    """A rewriter whose analyzer holds bounds of loop variables, threads and axes, and the enclosing conditions."""

    def __init__(self, *, is_exact: bool = False) -> None:
        super().__init__()
        self.analyzer = Analyzer(is_exact=is_exact)

    def enter(self, func: PrimFunc) -> None:
        """Assume that extents of parameters are not negative."""
        for buffer in func.buffer_map.values():
            for extent in buffer.shape:
                if isinstance(extent, Var):
                    self.raise_lower_bound(extent, 0)
                elif not isinstance(extent, IntImm):
                    self.assume_not_negative(extent)

    def assume_not_negative(self, extent: Expr) -> None:
        """Derive a lower bound of `n` from `n * factor + base >= 0`."""
        sizes = uses(extent)
        if len(sizes) != 1:
            return
        size = sizes.pop()
        coefficients = [self.analyzer.simplify(part) for part in detect_linear_equation(extent, [size])]
        factor, base = coefficients or (extent, extent)
        if isinstance(factor, IntImm) and isinstance(base, IntImm) and factor.value > 0:
            self.raise_lower_bound(size, -(base.value // factor.value))

    def raise_lower_bound(self, size: Var, low: int) -> None:
        """Raise the lower bound of a size to `low`."""
        bound = self.analyzer.const_bounds(size).low
        if bound is None or bound < low:
            self.analyzer.bind_bounds(size, low=low)

    @on(For)
    def loop(self, node: For) -> Stmt:
        entered, low, size, body = self._entered, node.min, node.extent, node.body
        start, extent = entered[low.__class__](self, low), entered[size.__class__](self, size)
        self.analyzer.bind(node.loop_var, Range.from_min_extent(start, extent), allow_override=True)
        new_body = entered[body.__class__](self, body)
        if start is low and extent is size and new_body is body:
            return node
        return node.replace(min=start, extent=extent, body=new_body)

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        """Rewrite each branch under the condition or its negation."""
        with self.analyzer.constraint(condition):
            then_case = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            with self.analyzer.constraint(condition, False):
                else_case = self.rewrite(else_case)
        return node.rebuild(condition=condition, then_case=then_case, else_case=else_case)

    def then_value(self, condition: Expr, value: Expr) -> Expr:
        """Rewrite the value under the condition. (TVM does not assume the negation in the other value.)"""
        with self.analyzer.constraint(condition):
            return super().then_value(condition, value)

    @on(AssertStmt)
    def check(self, node: AssertStmt) -> Stmt:
        return self.rewrite_assert(node, self.rewrite(node.condition))

    def rewrite_assert(self, node: AssertStmt, condition: Expr) -> Stmt:
        """Rewrite the body of an assertion under its condition."""
        with self.analyzer.constraint(condition):
            body = self.rewrite(node.body)
        return node.rebuild(condition=condition, body=body)

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        """Descend; the analyzer is not given the value of the variable."""
        return self.descend(node)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        """Descend; the analyzer is not given the condition."""
        return self.descend(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        axis = node.node
        if isinstance(axis, IterVar) and node.attr_key in ("thread_extent", "virtual_thread"):
            self.analyzer.bind(axis.var, Range.from_extent(node.value), allow_override=True)
        return self.descend(node)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for axis in node.iter_vars:
            if axis.dom is not None:
                self.analyzer.bind(axis.var, axis.dom, allow_override=True)
        return self.descend(node)


def constant_condition(condition: Expr) -> bool | None:
    """Return the value of a constant condition; None for any other."""
    return bool(condition.value) if isinstance(condition, IntImm) else None
