"""Loops whose bodies run under a condition: the condition becomes a bound of the loop, or is tested before it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from tvmscript.backends.llvm.codegen.vectorizable_loops import slope
from tvmscript.ir.arith.fold import conjuncts, is_const, make
from tvmscript.ir.core import nodes, on
from tvmscript.ir.tir import Call, Expr, IntImm, StatementRewriter, Stmt, TirRewriter, Var, uses
from tvmscript.ir.tir.expr import LT, Add, And, BinaryOp, BufferLoad, FloorDiv, FloorMod, Max, Min, Mul, Sub
from tvmscript.ir.tir.stmt import For, ForKind, IfThenElse


class NarrowLoops(StatementRewriter):
    """Narrow serial loops to the iterations that do something.

    rewrite:
        for i in range(32):               -->     for i in range(T.min(32, T.max(n, o * 32) - o * 32)):
            for j in range(m):                        for j in range(m):
                if o * 32 + i < n:                        B[o * 32 + i, j] = A[o * 32 + i, j]
                    B[o * 32 + i, j] = ...
    """

    def __init__(self, sizes: Iterable[Var] = ()) -> None:
        super().__init__()
        #: variables that are not negative: sizes of arrays, and those of loops that count up from such a number
        self.counters: set[Var] = {*sizes}

    @on(For)
    def loop(self, node: For) -> Stmt:
        if isinstance(node.min, IntImm) and node.min.value >= 0:
            self.counters.add(node.loop_var)
        loop = self.descend(node)
        body = loop.body
        if loop.kind is not ForKind.SERIAL or not isinstance(body, IfThenElse) or body.else_case is not None:
            return loop
        before: list[Expr] = []
        inside: list[Expr] = []
        extent = loop.extent
        for condition in conjuncts(body.condition):
            bound = self.bound(condition, loop)
            if bound is not None:
                extent = make(Min, extent, bound)
            elif _is_plain(condition) and loop.loop_var not in uses(condition):
                before.append(condition)
            else:
                inside.append(condition)
        if extent is loop.extent and not before:
            return loop
        rest = body.replace(condition=reduce(And, inside)) if inside else body.then_case
        narrow: Stmt = loop.replace(extent=extent, body=rest)
        return body.replace(condition=reduce(And, before), then_case=narrow) if before else narrow

    def bound(self, condition: Expr, loop: For) -> Expr | None:
        """Return how many first iterations satisfy a condition, None if it may hold for others, too."""
        var = loop.loop_var
        if not isinstance(condition, LT) or condition.a.dtype is not loop.extent.dtype or var in uses(condition.b):
            return None
        if not var.dtype.is_signed or not _is_plain(condition.b) or not is_const(loop.min, 0):
            return None
        value, limit, step = condition.a, condition.b, 1
        start: Expr = _Zero(var).rewrite(value)
        last: Expr = var if slope(value, var) == 1 else value
        if isinstance(value, Add) and isinstance(limit, IntImm) and var not in uses(value.a):
            start, last = value.a, value.b
        if isinstance(last, FloorDiv) and last.a is var and isinstance(last.b, IntImm) and isinstance(limit, IntImm):
            step = last.b.value
            last = var
        if last is not var or step <= 0 or not self.is_not_negative(start):
            return None
        # no difference is negative, so that none wraps around
        left = limit if is_const(start, 0) else make(Sub, make(Max, limit, start), start)
        return left if step == 1 else make(Mul, left, IntImm(var.dtype, step))

    def is_not_negative(self, value: Expr) -> bool:
        if isinstance(value, IntImm):
            return value.value >= 0
        if isinstance(value, (Add, Mul, FloorDiv, FloorMod)):
            return self.is_not_negative(value.a) and self.is_not_negative(value.b) and _is_plain(value)
        return value in self.counters


def _is_plain(expr: Expr) -> bool:
    """Whether an expression has a value at any time: it reads no memory, calls nothing, divides by constants."""
    return not any(
        isinstance(part, (BufferLoad, Call))
        or (isinstance(part, (FloorDiv, FloorMod)) and not (isinstance(part.b, IntImm) and part.b.value > 0))
        for part in nodes(expr)
    )


class _Zero(TirRewriter):
    """Replace a variable by 0."""

    def __init__(self, var: Var) -> None:
        super().__init__()
        self.renamed[var] = IntImm(var.dtype, 0)

    @on(Add, Sub, Mul)
    def arithmetic(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)
