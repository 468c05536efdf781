"""Remove assertions."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import on
from tvmscript.ir.tir import AssertStmt, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.transform.base import PrimFuncPass


class _AssertRemover(StatementRewriter):
    @on(AssertStmt)
    def check(self, node: AssertStmt) -> Stmt:
        return self.rewrite(node.body)


@dataclass(frozen=True)
class SkipAssert(PrimFuncPass):
    """Replace each assertion by its body.

    rewrite:
        assert n > 0, "no data"  -->  A[0] = n
        A[0] = n
    """

    name = "tir.SkipAssert"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_AssertRemover().rewrite(func.body))
