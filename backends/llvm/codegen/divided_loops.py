"""Loops whose variable occurs only as quotient and remainder of one number: they are two loops that were fused."""

from __future__ import annotations

from tvmscript.ir.core import nodes, on
from tvmscript.ir.tir import Expr, IntImm, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import BinaryOp, FloorDiv, FloorMod
from tvmscript.ir.tir.stmt import For, ForKind


def split_by_divisor(loop: For) -> For | None:
    """Return a nest of two loops in the place of one that counts from 0, None where its variable occurs by itself.

    rewrite:
        for f in range(8):                        -->     for f, f_i in T.grid(4, 2):
            B[f // 2, f % 2] = A[f // 2]                      B[f, f_i] = A[f]
    """
    extent, size = loop.extent, _find_divisor(loop.loop_var, loop.body)
    if size <= 1 or not isinstance(extent, IntImm) or extent.value % size:
        return None
    dtype = loop.loop_var.dtype
    outer, inner = Var(loop.loop_var.name, dtype), Var(f"{loop.loop_var.name}_i", dtype)
    body: Stmt = _Parts(loop.loop_var, outer, inner).rewrite(loop.body)
    nested = For(inner, IntImm(dtype, 0), IntImm(dtype, size), ForKind.SERIAL, body)
    return loop.replace(loop_var=outer, extent=IntImm(dtype, extent.value // size), body=nested)


def _find_divisor(var: Var, body: Stmt) -> int:
    """Return the number that a variable is divided by wherever it occurs, 0 where it occurs otherwise."""
    divisor, is_dividend = 0, False
    for part in nodes(body):
        if part is var:
            if not is_dividend:
                return 0
            is_dividend = False
        elif isinstance(part, (FloorDiv, FloorMod)) and part.a is var and isinstance(part.b, IntImm):
            if divisor not in (0, part.b.value):
                return 0
            divisor, is_dividend = part.b.value, True  # the variable is the next node
    return divisor


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
