"""Branches that do the same but for what changes nothing are one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import logical_not
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import BufferLoad
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, is_noop
from tvmscript.ir.tir.stmt import BufferStore, IfThenElse, SeqStmt, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op.redundant_stores import KnowsFlow, VainStores
from tvmscript.ir.transform.expressions.remove_no_op.remove_no_op import without_no_ops
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter


class _Reduction(KnowsFlow):
    def __init__(self, *, uses_flow: bool) -> None:
        super().__init__(Analyzer(is_exact=True))
        self.uses_flow = uses_flow

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        before = self.contents.state
        made = self.branches(node, self.rewrite(node.condition))
        if not isinstance(made, IfThenElse):
            return made
        after, self.contents.state = self.contents.state, before
        then_case, else_case = made.then_case, NOOP if made.else_case is None else made.else_case
        for holds, general, special in ((True, else_case, then_case), (False, then_case, else_case)):
            if self.is_special(made.condition, holds, general, special):
                self.contents.forget(store.buffer.data for store in nodes(general) if isinstance(store, BufferStore))
                return _without_empty(general)
        self.contents.state = after
        return made

    def is_special(self, condition: Expr, holds: bool, general: Stmt, special: Stmt) -> bool:
        """Whether the general statement does what the special one does, where the condition holds (or not)."""
        if structural_equal(general, special):
            return True
        is_never = self.analyzer.can_prove(logical_not(condition) if holds else condition)
        if is_never and self.uses_flow:
            return True
        with self.analyzer.constraint(condition, holds):
            accesses = _Accesses(self.analyzer)
            accesses.rewrite(general)
            if not is_never and not accesses.are_inside:
                return False
            if self.uses_flow:
                vain = VainStores(self.analyzer)
                vain.follow(self)
                with vain.inside(condition if holds else logical_not(condition)):
                    general = vain.rewrite(general)
            left = without_no_ops(general, self.analyzer)
        return structural_equal(left, special)


class _Accesses(AnalyzedRewriter):
    """Looks whether all accesses of a statement are known to stay in their buffers."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self.analyzer = analyzer
        self.are_inside = True

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        self.look(node)
        return super().load(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        self.look(node)
        return super().store(node)

    def look(self, node: BufferLoad | BufferStore) -> None:
        for index, extent in zip(node.indices, node.buffer.shape, strict=True):
            is_inside = self.analyzer.can_prove_greater_equal(index, 0) and self.analyzer.can_prove_less(index, extent)
            self.are_inside &= is_inside


def _without_empty(stmt: Stmt) -> Stmt:
    return seq(*[part for part in stmt.seq if not is_noop(part)]) if isinstance(stmt, SeqStmt) else stmt


@dataclass(frozen=True)
class ReduceBranchingThroughOvercompute(PrimFuncPass):
    """A branch is gone where one of its cases, done always, changes nothing where the other was to be done.

    With `use_dataflow_analysis`, what is stored or assumed before, and what is written over later, counts too. Accesses
    that would be new stay inside of their buffers.

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
        rewriter = _Reduction(uses_flow=self.use_dataflow_analysis)
        rewriter.enter(func)
        return func.with_body(rewriter.rewrite(func.body))
