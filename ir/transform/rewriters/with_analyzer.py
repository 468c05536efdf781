"""Rewriters that take choices which are decided; one that knows the loops and conditions around each statement."""

from __future__ import annotations

from operator import is_
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import Call, IntImm, IterVar, Range, Select
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, Block, For, IfThenElse, LetStmt, While
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var


class DecidingRewriter(TirRewriter):
    """Takes choices that are decided."""

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition: Expr = self.rewrite(node.condition)
        taken = decided(condition)
        if taken is None:
            return self.branches(node, condition)
        chosen = node.then_case if taken else node.else_case
        return NOOP if chosen is None else self.rewrite(chosen)

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        """Both branches."""
        then_case = self.rewrite(node.then_case)
        else_case = None if node.else_case is None else self.rewrite(node.else_case)
        if condition is node.condition and then_case is node.then_case and else_case is node.else_case:
            return node
        return IfThenElse(condition, then_case, else_case, span=node.span)

    @on(Select)
    def select(self, node: Select) -> Expr:
        """Both values are computed: neither may rely on the condition."""
        parts = (node.condition, node.true_value, node.false_value)
        condition: Expr = self.rewrite(node.condition)
        taken = decided(condition)
        if taken is not None:
            chosen: Expr = self.rewrite(node.true_value if taken else node.false_value)
            return chosen
        made = (condition, *self.selected(*parts))
        return node if all(map(is_, made, parts)) else Select(*made, span=node.span)

    def selected(self, condition: Expr, yes: Expr, no: Expr) -> tuple[Expr, Expr]:
        """The values of a Select."""
        return self.rewrite(yes), self.rewrite(no)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if not isinstance(node.op, Op) or node.op.name != "tir.if_then_else":
            args = self._tuple(node.args, self.rewrite)
            return node if args is node.args else Call(node.dtype, node.op, args, node.span)
        condition: Expr = self.rewrite(node.args[0])
        taken = decided(condition)
        if taken is not None:
            chosen: Expr = self.rewrite(node.args[1 if taken else 2])
            return chosen
        made = (condition, self.lazily(condition, node.args[1]), self.rewrite(node.args[2]))
        return node if all(map(is_, made, node.args)) else Call(node.dtype, node.op, made, node.span)

    def lazily(self, condition: Expr, value: Expr) -> Expr:
        """The value of `if_then_else` where the condition holds."""
        made: Expr = self.rewrite(value)
        return made


class AnalyzedRewriter(DecidingRewriter):
    """Binds loop variables, threads and block axes; conditions hold in what they guard."""

    def __init__(self, *, is_exact: bool = False) -> None:
        super().__init__()
        self.analyzer = Analyzer(is_exact=is_exact)

    def enter(self, func: PrimFunc) -> None:
        """Shapes of parameters are not negative."""
        for buffer in func.buffer_map.values():
            for extent in buffer.shape:
                if isinstance(extent, Var):
                    self.raise_low(extent, 0)
                elif not isinstance(extent, IntImm):
                    self.not_negative(extent)

    def not_negative(self, extent: Expr) -> None:
        """Of n * 4 - 3, n is at least 1."""
        sizes = uses(extent)
        if len(sizes) != 1:
            return
        size = sizes.pop()
        found = [self.analyzer.simplify(part) for part in detect_linear_equation(extent, [size])]
        factor, base = found or (extent, extent)
        if isinstance(factor, IntImm) and isinstance(base, IntImm) and factor.value > 0:
            self.raise_low(size, -(base.value // factor.value))

    def raise_low(self, size: Var, low: int) -> None:
        """A size is at least so much."""
        known = self.analyzer.const_bounds(size).low
        if known is None or known < low:
            self.analyzer.bind_bounds(size, low=low)

    @on(For)
    def loop(self, node: For) -> Stmt:
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        self.analyzer.bind(node.loop_var, Range.from_min_extent(start, extent), allow_override=True)
        body = self.rewrite(node.body)
        if start is node.min and extent is node.extent and body is node.body:
            return node
        return For(node.loop_var, start, extent, node.kind, body, node.thread_binding, node.annotations, span=node.span)

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        """Both branches, each where the condition holds or not."""
        with self.analyzer.constraint(condition):
            then_case = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            with self.analyzer.constraint(condition, False):
                else_case = self.rewrite(else_case)
        if condition is node.condition and then_case is node.then_case and else_case is node.else_case:
            return node
        return IfThenElse(condition, then_case, else_case, span=node.span)

    def lazily(self, condition: Expr, value: Expr) -> Expr:
        """The value may rely on the condition. (TVM makes nothing of the contrary in the other one.)"""
        with self.analyzer.constraint(condition):
            return super().lazily(condition, value)

    @on(AssertStmt)
    def check(self, node: AssertStmt) -> Stmt:
        return self.checked(node, self.rewrite(node.condition))

    def checked(self, node: AssertStmt, condition: Expr) -> Stmt:
        """What comes after an assertion may rely on it."""
        with self.analyzer.constraint(condition):
            body = self.rewrite(node.body)
        if condition is node.condition and body is node.body:
            return node
        return AssertStmt(condition, node.message, body, span=node.span)

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        """Nothing is taken to be known of the variable."""
        return self.descend(node)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        """Nothing is taken to be known of the body."""
        return self.descend(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        about: Any = node.node
        if isinstance(about, IterVar) and node.attr_key in ("thread_extent", "virtual_thread"):
            self.analyzer.bind(
                about.var, Range.from_min_extent(IntImm(node.value.dtype, 0), node.value), allow_override=True
            )
        return self.descend(node)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for axis in node.iter_vars:
            if axis.dom is not None:
                self.analyzer.bind(axis.var, axis.dom, allow_override=True)
        return self.descend(node)


def decided(condition: Expr) -> bool | None:
    """Whether a condition holds, where it is a constant."""
    return bool(condition.value) if isinstance(condition, IntImm) else None
