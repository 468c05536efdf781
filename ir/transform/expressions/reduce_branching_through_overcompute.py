"""Branches that do the same but for what changes nothing are one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, is_noop
from tvmscript.ir.tir.stmt import IfThenElse, SeqStmt, seq
from tvmscript.ir.transform.analyzed import AnalyzedRewriter
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op import without_no_ops


class _Reduction(AnalyzedRewriter):
    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        made = self.branches(node, self.rewrite(node.condition))
        if not isinstance(made, IfThenElse):
            return made
        then_case, else_case = made.then_case, NOOP if made.else_case is None else made.else_case
        if self.is_special(made.condition, True, else_case, then_case):
            return _without_empty(else_case)
        if self.is_special(made.condition, False, then_case, else_case):
            return _without_empty(then_case)
        return made

    def is_special(self, condition: Expr, holds: bool, general: Stmt, special: Stmt) -> bool:
        """Whether the general statement does what the special one does, where the condition holds (or not)."""
        with self.analyzer.constraint(condition, holds):
            left = without_no_ops(general, self.analyzer)
        return structural_equal(left, special)


def _without_empty(stmt: Stmt) -> Stmt:
    return seq(*[part for part in stmt.seq if not is_noop(part)]) if isinstance(stmt, SeqStmt) else stmt


@dataclass(frozen=True)
class ReduceBranchingThroughOvercompute(PrimFuncPass):
    """A branch is gone where one of its cases, done always, changes nothing where the other was to be done.

    `use_dataflow_analysis` is TVM's, taken and not used: no more is known of buffers than the branch itself tells.

    rewrite:
        for i in range(16):                 for i in range(16):
            if i > 0:                   -->     A[0] = A[0] + i * 3
                A[0] = A[0] + i * 3
    """

    name: ClassVar[str] = "tir.ReduceBranchingThroughOvercompute"
    use_dataflow_analysis: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(isinstance(node, IfThenElse) for node in nodes(func.body)):
            return func
        rewriter = _Reduction()
        rewriter.enter(func)
        return func.with_body(rewriter.rewrite(func.body))
