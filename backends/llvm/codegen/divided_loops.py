"""Loops whose variable occurs only as quotient and remainder of one number: they are two loops that were fused."""

from __future__ import annotations

from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import Expr, IntImm, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import BinaryOp, FloorDiv, FloorMod
from tvmscript.ir.tir.stmt import For, ForKind


def split_by_divisor(loop: For) -> For | None:
    """Return a nest of two loops in the place of one that counts from 0, None where its variable occurs by itself.

    rewrite:
        for f in range(8):                        -->     for f, f_i in T.grid(4, 2):
            B[f // 2, f % 2] = A[f // 2]                      B[f, f_i] = A[f]
    """
    divisors = _Divisors(loop.loop_var)
    divisors.visit(loop.body)
    extent = loop.extent
    if len(divisors.values) != 1 or not isinstance(extent, IntImm):
        return None
    (size,) = divisors.values
    if size <= 1 or extent.value % size:
        return None
    dtype = loop.loop_var.dtype
    outer, inner = Var(loop.loop_var.name, dtype), Var(f"{loop.loop_var.name}_i", dtype)
    body: Stmt = _Parts(loop.loop_var, outer, inner).rewrite(loop.body)
    nested = For(inner, IntImm(dtype, 0), IntImm(dtype, size), ForKind.SERIAL, body)
    return loop.replace(loop_var=outer, extent=IntImm(dtype, extent.value // size), body=nested)


class _Divisors(Visitor):
    """Collect the numbers that a variable is divided by; 0 where it occurs otherwise."""

    def __init__(self, var: Var) -> None:
        self.var = var
        self.values: set[int] = set()

    @on(Var)
    def variable(self, node: Var) -> None:
        if node is self.var:
            self.values.add(0)

    @on(FloorDiv, FloorMod)
    def division(self, node: BinaryOp) -> None:
        if node.a is self.var and isinstance(node.b, IntImm):
            self.values.add(node.b.value)
        else:
            self.walk(node)


class _Parts(TirRewriter):
    """Replace quotients and remainders of a variable by two variables."""

    def __init__(self, var: Var, quotient: Var, remainder: Var) -> None:
        super().__init__()
        self.var, self.quotient, self.remainder = var, quotient, remainder

    @on(FloorDiv, FloorMod)
    def division(self, node: BinaryOp) -> Expr:
        if node.a is not self.var:
            return self.descend(node)
        return self.quotient if isinstance(node, FloorDiv) else self.remainder
