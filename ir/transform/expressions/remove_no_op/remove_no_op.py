"""Remove statements without effect."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.bounded_analyzer import LimitedAnalyzer
from tvmscript.ir.arith.int_set import POS_INF
from tvmscript.ir.arith.sums.linear_form import is_index_dtype
from tvmscript.ir.core import CallEffect, Op, nodes, on
from tvmscript.ir.tir import NOOP, Buffer, Expr, PrimFunc, Stmt, TirRewriter, Var, can_drop, effect_of, is_noop, uses
from tvmscript.ir.tir.expr import EQ, LE, BufferLoad, Call, IntImm, IterVar, Not, Range, Sub
from tvmscript.ir.tir.stmt import (
    LAUNCHES,
    Allocate,
    AttrStmt,
    Block,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    IfThenElse,
    LetStmt,
    seq,
)
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op.redundant_stores import remove_redundant_stores
from tvmscript.ir.transform.fixed_points import FixedPoints


class _UsedNames:
    """Variables and buffers that the kept statements use, in order of first use."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}
        self._order: list[Any] = []

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def add(self, name: object) -> None:
        if name not in self._places:
            self._places[name] = len(self._order)
            self._order.append(name)

    @property
    def mark(self) -> int:
        return len(self._order)

    def forget_since(self, mark: int) -> None:
        """Remove names that were added since the mark."""
        for name in self._order[mark:]:
            del self._places[name]
        del self._order[mark:]


class _NoOpRemover(TirRewriter):
    """Remove statements without effect. The analyzer, if any, holds the enclosing loops and conditions."""

    def __init__(self, analyzer: Analyzer | None) -> None:
        super().__init__()
        self.analyzer = analyzer
        self.domains: dict[Var, Range] = {}
        self.uses = _UsedNames()
        #: whether stored sums are checked too: x + y may equal x
        self.is_thorough = False

    # -- uses

    @on(Var)
    def variable(self, node: Var) -> Expr:
        self.uses.add(node)
        new_var = self.renamed.get(node, node)
        assert isinstance(new_var, Expr)
        return new_var

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        if node not in self.uses:
            self.uses.add(node)
            for name in uses((node.data, node.shape, node.strides, node.elem_offset)):
                self.uses.add(name)
        return self.renamed.get(node, node)

    # -- assumptions

    def assume(self, condition: Expr, holds: bool = True) -> AbstractContextManager[None]:
        if self.analyzer is None:
            return nullcontext()
        if isinstance(condition, Call) and isinstance(condition.op, Op) and condition.op.name == "tir.likely":
            condition = condition.args[0]
        return self.analyzer.constraint(condition, holds)

    def is_never_run(self, extent: Expr) -> bool:
        """Return whether a loop provably has no iterations."""
        if isinstance(extent, IntImm) or self.analyzer is None:
            return isinstance(extent, IntImm) and extent.value <= 0
        most = self.analyzer.int_set(extent, self.domains).max_value
        return most is not POS_INF and self.analyzer.can_prove(LE(most, IntImm(most.dtype, 0)))

    # -- statements

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        return NOOP if can_drop(node.value) else self.descend(node)

    @on(For)
    def loop(self, node: For) -> Stmt:
        if self.is_never_run(node.extent):
            return NOOP
        domain = Range.from_min_extent(node.min, node.extent)
        if self.analyzer is not None:
            self.analyzer.bind(node.loop_var, domain, allow_override=True)
            self.domains[node.loop_var] = domain
        mark = self.uses.mark
        new_loop = self.descend(node)
        self.domains.pop(node.loop_var, None)
        return self.keep_effects(mark, node.min, node.extent) if is_noop(new_loop.body) else new_loop

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        mark = self.uses.mark
        if self.analyzer is not None and effect_of(node.value) <= CallEffect.PURE:
            self.analyzer.bind(node.var, node.value, allow_override=True)
        body: Stmt = self.rewrite(node.body)
        if is_noop(body):
            return self.keep_effects(mark, node.value)
        if node.var not in self.uses:
            return body if can_drop(node.value) else seq(self.keep_effects(self.uses.mark, node.value), body)
        return node.rebuild(body=body, value=self.rewrite(node.value))

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        mark = self.uses.mark
        new_allocate = self.descend(node)
        return self.keep_effects(mark, *node.extents) if is_noop(new_allocate.body) else new_allocate

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        if is_noop(body) or node.buffer not in self.uses:
            return body
        return node.rebuild(body=body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key == "pragma_debug_skip_region":
            return NOOP
        inner = node.body
        if node.attr_key == "async_wait_queue_scope" and isinstance(inner, AttrStmt):
            count = inner.value
            if isinstance(count, IntImm) and count.value < 0:
                return self.rewrite(inner.body)
        axis = node.node
        if isinstance(axis, IterVar) and node.attr_key in LAUNCHES and self.analyzer is not None:
            domain = Range.from_extent(node.value)
            self.analyzer.bind(axis.var, domain, allow_override=True)
        mark = self.uses.mark
        new_attr = self.descend(node)
        return self.keep_effects(mark, node.value) if is_noop(new_attr.body) else new_attr

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for axis in node.iter_vars:
            if axis.dom is not None and self.analyzer is not None:
                self.analyzer.bind(axis.var, axis.dom, allow_override=True)
        return self.descend(node)

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        if isinstance(node.condition, IntImm):
            taken = node.then_case if node.condition.value else node.else_case
            return NOOP if taken is None else self.rewrite(taken)
        mark = self.uses.mark
        condition: Expr = self.rewrite(node.condition)
        with self.assume(condition):
            then_case: Stmt = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            with self.assume(condition, False):
                else_case = self.rewrite(else_case)
            else_case = None if is_noop(else_case) else else_case
        if is_noop(then_case):
            if else_case is None:
                return self.keep_effects(mark, node.condition)
            return IfThenElse(Not(condition), else_case, None, span=node.span)
        return node.rebuild(condition=condition, then_case=then_case, else_case=else_case)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if isinstance(node.op, Op) and node.op.name == "tir.if_then_else" and isinstance(node.args[0], IntImm):
            return self.rewrite(node.args[1 if node.args[0].value else 2])
        return self.descend(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if self.stores_same_value(node):
            return self.keep_effects(self.uses.mark, node.value, *node.indices)
        return super().store(node)

    def stores_same_value(self, node: BufferStore) -> bool:
        """Return whether a store provably writes the value that the element has."""
        if self.analyzer is None or not _may_store_same_value(node, self.is_thorough):
            return False
        if isinstance(node.value, BufferLoad):
            pairs = zip(node.value.indices, node.indices, strict=True)
            return all(a.dtype is b.dtype and self.analyzer.can_prove_equal(a, b) for a, b in pairs)
        return self.analyzer.can_prove(EQ(node.value, BufferLoad(node.buffer, node.indices)))

    def keep_effects(self, mark: int, *values: Expr) -> Stmt:
        """Keep only the side effects of expressions, and forget other uses since the mark."""
        self.uses.forget_since(mark)
        kept = [Evaluate(self.rewrite(value)) for value in values if not can_drop(value)]
        return seq(*kept) if kept else NOOP


def _may_store_same_value(node: BufferStore, is_thorough: bool = False) -> bool:
    """Return whether the value is an element of the buffer, or a difference (or sum) with one."""
    value = node.value
    if node.predicate is not None:
        return False
    if isinstance(value, BufferLoad):
        is_same = value.buffer is node.buffer and value.predicate is None
    else:
        is_same = (
            is_index_dtype(value.dtype)
            and (is_thorough or isinstance(value, Sub))
            and any(isinstance(part, BufferLoad) and part.buffer is node.buffer for part in nodes(value))
        )
    return is_same and all(map(can_drop, (value, *node.indices)))


def _needs_analyzer(node: Stmt) -> bool:
    """Return whether the analyzer may prove that a statement has no effect."""
    if isinstance(node, For):
        return not isinstance(node.extent, IntImm)
    return isinstance(node, BufferStore) and _may_store_same_value(node)


def remove_no_ops(stmt: Stmt, analyzer: Analyzer) -> Stmt:
    """Remove what provably has no effect from a statement."""
    remover = _NoOpRemover(analyzer)
    remover.is_thorough = True
    return remover.rewrite(stmt)


@dataclass(frozen=True)
class RemoveNoOp(PrimFuncPass):
    """Remove loops without iterations or with an empty body, empty branches, and unused values.

    Stores of an element to itself, unused variables and declared buffers, and allocations with an empty body are also
    removed. Calls with side effects are kept. With `use_dataflow_analysis`, stores are removed whose elements provably
    have the value already or are overwritten before they are read. With `max_simplification_steps` > 0, `TooManySteps`
    is raised after so many simplifications and proofs, for profiling.

    rewrite:
        for i in range(8):
            T.evaluate(0)       -->     A[0] = 1.0
        A[0] = 1.0
    """

    name = "tir.RemoveNoOp"
    is_idempotent = True
    use_dataflow_analysis: bool = False
    max_simplification_steps: int = 0

    def transform(self, func: PrimFunc) -> PrimFunc:
        return _FIXED_POINTS.apply(self.without_no_ops, func) if self == _PLAIN else self.without_no_ops(func)

    def without_no_ops(self, func: PrimFunc) -> PrimFunc:
        steps = self.max_simplification_steps
        # storing (A[0] * 2) // 2 differs from storing A[0]: it may wrap around
        analyzer = LimitedAnalyzer(steps, is_exact=True) if steps > 0 else Analyzer(is_exact=True)
        if self.use_dataflow_analysis:
            func = func.with_body(remove_redundant_stores(func, analyzer))
        needs_analyzer = any(map(_needs_analyzer, statements(func.body)))
        return func.with_body(_NoOpRemover(analyzer if needs_analyzer else None).rewrite(func.body))


_PLAIN: Final = RemoveNoOp()
#: of the pass without options
_FIXED_POINTS: Final = FixedPoints()
