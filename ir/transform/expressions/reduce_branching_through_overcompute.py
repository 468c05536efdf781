"""Remove branches by executing one case unconditionally where that has no visible effect."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import logical_not
from tvmscript.ir.core import nodes, on, structural_equal
from tvmscript.ir.tir import NOOP, BufferLoad, BufferStore, Expr, IfThenElse, PrimFunc, SeqStmt, Stmt, is_noop, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op.redundant_stores import FlowRewriter, RedundantStoreRemover
from tvmscript.ir.transform.expressions.remove_no_op.remove_no_op import remove_no_ops
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter


class _BranchReducer(FlowRewriter):
    def __init__(self, *, uses_flow: bool) -> None:
        super().__init__(Analyzer(is_exact=True))
        self.uses_flow = uses_flow

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        before = self.contents.state
        new_branch = self.branches(node, self.rewrite(node.condition))
        if not isinstance(new_branch, IfThenElse):
            return new_branch
        after, self.contents.state = self.contents.state, before
        then_case, else_case = new_branch.then_case, NOOP if new_branch.else_case is None else new_branch.else_case
        for holds, general, special in ((True, else_case, then_case), (False, then_case, else_case)):
            if self.is_equivalent(new_branch.condition, holds, general, special):
                self.contents.forget(store.buffer.data for store in nodes(general) if isinstance(store, BufferStore))
                return _without_empty(general)
        self.contents.state = after
        return new_branch

    def is_equivalent(self, condition: Expr, holds: bool, general: Stmt, special: Stmt) -> bool:
        """Return whether `general` has the effect of `special` where the condition holds (or does not hold)."""
        if structural_equal(general, special):
            return True
        is_never = self.analyzer.can_prove(logical_not(condition) if holds else condition)
        if is_never and self.uses_flow:
            return True
        with self.analyzer.constraint(condition, holds):
            check = _BoundsCheck(self.analyzer)
            check.rewrite(general)
            if not is_never and not check.in_bounds:
                return False
            if self.uses_flow:
                remover = RedundantStoreRemover(self.analyzer)
                remover.copy_state(self)
                with remover.scope(condition if holds else logical_not(condition)):
                    general = remover.rewrite(general)
            simplified = remove_no_ops(general, self.analyzer)
        return structural_equal(simplified, special)


class _BoundsCheck(AnalyzedRewriter):
    """Check whether all accesses of a statement are provably in bounds."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self.analyzer = analyzer
        self.in_bounds = True

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        self.check_access(node)
        return super().load(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        self.check_access(node)
        return super().store(node)

    def check_access(self, node: BufferLoad | BufferStore) -> None:
        for index, extent in zip(node.indices, node.buffer.shape, strict=True):
            is_inside = self.analyzer.can_prove_greater_equal(index, 0) and self.analyzer.can_prove_less(index, extent)
            self.in_bounds &= is_inside


def _without_empty(stmt: Stmt) -> Stmt:
    return seq(*[part for part in stmt.seq if not is_noop(part)]) if isinstance(stmt, SeqStmt) else stmt


@dataclass(frozen=True)
class ReduceBranchingThroughOvercompute(PrimFuncPass):
    """Replace a branch by one of its cases if executing that case instead of the other one has no visible effect.

    With `use_dataflow_analysis`, known contents of buffers and later overwrites are taken into account. The added
    accesses must be provably in bounds.

    rewrite:
        for i in range(16):                 for i in range(16):
            if i > 0:                   -->     A[0] = A[0] + i * 3
                A[0] = A[0] + i * 3
    """

    name = "tir.ReduceBranchingThroughOvercompute"
    is_idempotent = True
    use_dataflow_analysis: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(isinstance(node, IfThenElse) for node in nodes(func.body)):
            return func
        rewriter = _BranchReducer(uses_flow=self.use_dataflow_analysis)
        rewriter.enter(func)
        return func.with_body(rewriter.rewrite(func.body))
