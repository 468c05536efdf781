"""Remove assumptions."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import Op, on
from tvmscript.ir.tir import NOOP, Call, Evaluate, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op.remove_no_op import RemoveNoOp


class _AssumeRemover(StatementRewriter):
    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        value = node.value
        is_assumption = isinstance(value, Call) and isinstance(value.op, Op) and value.op.name == "tir.assume"
        return NOOP if is_assumption else node


@dataclass(frozen=True)
class RemoveAssume(PrimFuncPass):
    """Remove `T.assume` calls, then run `tir.RemoveNoOp`.

    rewrite:
        for i in range(8):
            T.evaluate(T.assume(A[i] == 0))  -->  for i in range(8):
        for i in range(8):                            B[i] = 1
            B[i] = 1
    """

    name = "tir.RemoveAssume"
    is_idempotent = True
    commutes_with = ("tir.RemoveStoreUndef", "tir.UnrollLoop")

    def transform(self, func: PrimFunc) -> PrimFunc:
        return RemoveNoOp().transform(func.with_body(_AssumeRemover().rewrite(func.body)))
