"""Make parallel loops serial."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import on
from tvmscript.ir.tir import For, ForKind, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.transform.base import PrimFuncPass


class _SerialRewriter(StatementRewriter):
    @on(For)
    def loop(self, node: For) -> Stmt:
        # TVM does not change loops inside of a parallel one
        return node.replace(kind=ForKind.SERIAL) if node.kind is ForKind.PARALLEL else self.descend(node)


@dataclass(frozen=True)
class ConvertForLoopsToSerial(PrimFuncPass):
    """Make the outermost parallel loops serial, for targets without threads.

    As in TVM, loops inside of them keep their kinds: a second run changes the next level.

    rewrite:
        for i in T.parallel(8):  -->  for i in range(8):
            A[i] = 0                      A[i] = 0
    """

    name = "tir.ConvertForLoopsToSerial"
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_SerialRewriter().rewrite(func.body))
