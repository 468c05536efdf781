"""Statements that do nothing are gone."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.bounded_analyzer import LimitedAnalyzer
from tvmscript.ir.arith.int_set import POS_INF
from tvmscript.ir.arith.linear_form import is_index_dtype
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import EQ, LE, BufferLoad, Call, IntImm, IterVar, Not, Range, Sub
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter, is_noop
from tvmscript.ir.tir.side_effect import can_drop, effect_of
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
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op.redundant_stores import without_vain_stores


class _Uses:
    """Names that are used by what is kept so far, in the order in which they are met."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}
        self._order: list[Any] = []

    def __contains__(self, name: Any) -> bool:
        return name in self._places

    def add(self, name: Any) -> None:
        if name not in self._places:
            self._places[name] = len(self._order)
            self._order.append(name)

    @property
    def mark(self) -> int:
        return len(self._order)

    def forget_since(self, mark: int) -> None:
        """What was met since the mark was taken is gone."""
        for name in self._order[mark:]:
            del self._places[name]
        del self._order[mark:]


class _Removal(TirRewriter):
    """Knows the loops and conditions around a statement where the function has something that depends on them."""

    def __init__(self, analyzer: Analyzer | None) -> None:
        super().__init__()
        self.analyzer = analyzer
        self.domains: dict[Var, Range] = {}
        self.uses = _Uses()
        #: sums are looked at too: x + y may be x here
        self.is_thorough = False

    # -- what is used

    @on(Var)
    def variable(self, node: Var) -> Expr:
        self.uses.add(node)
        return self.renamed.get(node, node)  # type: ignore[return-value]  # variables become expressions

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        if node not in self.uses:
            self.uses.add(node)
            for name in uses((node.data, node.shape, node.strides, node.elem_offset)):
                self.uses.add(name)
        return self.renamed.get(node, node)

    # -- what is known

    def assuming(self, condition: Expr, holds: bool = True) -> AbstractContextManager[None]:
        if self.analyzer is None:
            return nullcontext()
        if isinstance(condition, Call) and isinstance(condition.op, Op) and condition.op.name == "tir.likely":
            condition = condition.args[0]
        return self.analyzer.constraint(condition, holds)

    def is_never_run(self, extent: Expr) -> bool:
        """Whether a loop has no iteration, whatever the loops around it do."""
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
        made = self.descend(node)
        self.domains.pop(node.loop_var, None)
        return self.effects(mark, node.min, node.extent) if is_noop(made.body) else made

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        mark = self.uses.mark
        if self.analyzer is not None and effect_of(node.value) <= CallEffect.PURE:
            self.analyzer.bind(node.var, node.value, allow_override=True)
        body: Stmt = self.rewrite(node.body)
        if is_noop(body):
            return self.effects(mark, node.value)
        if node.var not in self.uses:
            return body if can_drop(node.value) else seq(self.effects(self.uses.mark, node.value), body)
        value: Expr = self.rewrite(node.value)
        return node if value is node.value and body is node.body else LetStmt(node.var, value, body, span=node.span)

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        mark = self.uses.mark
        made = self.descend(node)
        return self.effects(mark, *node.extents) if is_noop(made.body) else made

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        if is_noop(body) or node.buffer not in self.uses:
            return body
        return node if body is node.body else DeclBuffer(node.buffer, body, span=node.span)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key == "pragma_debug_skip_region":
            return NOOP
        inner = node.body
        if node.attr_key == "async_wait_queue_scope" and isinstance(inner, AttrStmt):
            count = inner.value
            if isinstance(count, IntImm) and count.value < 0:
                return self.rewrite(inner.body)
        about: Any = node.node
        if isinstance(about, IterVar) and node.attr_key in LAUNCHES and self.analyzer is not None:
            domain = Range.from_min_extent(IntImm(node.value.dtype, 0), node.value)
            self.analyzer.bind(about.var, domain, allow_override=True)
        mark = self.uses.mark
        made = self.descend(node)
        return self.effects(mark, node.value) if is_noop(made.body) else made

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
        with self.assuming(condition):
            then_case: Stmt = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            with self.assuming(condition, False):
                else_case = self.rewrite(else_case)
            else_case = None if is_noop(else_case) else else_case
        if is_noop(then_case):
            if else_case is None:
                return self.effects(mark, node.condition)
            return IfThenElse(Not(condition), else_case, None, span=node.span)
        if condition is node.condition and then_case is node.then_case and else_case is node.else_case:
            return node
        return IfThenElse(condition, then_case, else_case, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if isinstance(node.op, Op) and node.op.name == "tir.if_then_else" and isinstance(node.args[0], IntImm):
            return self.rewrite(node.args[1 if node.args[0].value else 2])
        return self.descend(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if self.keeps_the_element(node):
            return self.effects(self.uses.mark, node.value, *node.indices)
        return super().store(node)

    def keeps_the_element(self, node: BufferStore) -> bool:
        """Whether a store writes what its element has already."""
        if self.analyzer is None or not _may_keep_the_element(node, self.is_thorough):
            return False
        if isinstance(node.value, BufferLoad):
            pairs = zip(node.value.indices, node.indices, strict=True)
            return all(a.dtype is b.dtype and self.analyzer.can_prove_equal(a, b) for a, b in pairs)
        return self.analyzer.can_prove(EQ(node.value, BufferLoad(node.buffer, node.indices)))

    def effects(self, mark: int, *values: Expr) -> Stmt:
        """What is left of expressions whose values nobody needs; other uses since the mark are gone."""
        self.uses.forget_since(mark)
        kept = [Evaluate(self.rewrite(value)) for value in values if not can_drop(value)]
        return seq(*kept) if kept else NOOP


def _may_keep_the_element(node: BufferStore, is_thorough: bool = False) -> bool:
    """Whether the value is an element of the buffer, or such an element less something."""
    value = node.value
    if node.predicate is not None or not all(map(can_drop, (value, *node.indices))):
        return False
    if isinstance(value, BufferLoad):
        return value.buffer is node.buffer and value.predicate is None
    if not is_index_dtype(value.dtype) or not (is_thorough or isinstance(value, Sub)):
        return False
    return any(isinstance(part, BufferLoad) and part.buffer is node.buffer for part in nodes(value))


def _depends_on_facts(node: Any) -> bool:
    """Whether what is known where a statement stands may tell that it does nothing."""
    if isinstance(node, For):
        return not isinstance(node.extent, IntImm)
    return isinstance(node, BufferStore) and _may_keep_the_element(node)


def without_no_ops(stmt: Stmt, analyzer: Analyzer) -> Stmt:
    """A statement without what does nothing, as far as the analyzer knows."""
    removal = _Removal(analyzer)
    removal.is_thorough = True
    made: Stmt = removal.rewrite(stmt)
    return made


@dataclass(frozen=True)
class RemoveNoOp(PrimFuncPass):
    """Loops without iterations or with an empty body, empty branches and values nobody uses are gone.

    So are stores of an element to itself, variables and declared buffers that are not used, and allocations around
    nothing. Calls that do something stay. With `use_dataflow_analysis`, stores are gone whose elements are known to
    have the value already, or are written over before they are read. `max_simplification_steps` is for finding out what
    takes long: `TooManySteps` is raised where more expressions are simplified or proved (0: no limit).

    rewrite:
        for i in range(8):
            T.evaluate(0)       -->     A[0] = 1.0
        A[0] = 1.0
    """

    name: ClassVar[str] = "tir.RemoveNoOp"
    use_dataflow_analysis: bool = False
    max_simplification_steps: int = 0

    def transform(self, func: PrimFunc) -> PrimFunc:
        steps = self.max_simplification_steps
        # a store of (A[0] * 2) // 2 is none of A[0]: it may wrap around
        analyzer = LimitedAnalyzer(steps, is_exact=True) if steps > 0 else Analyzer(is_exact=True)
        if self.use_dataflow_analysis:
            func = func.with_body(without_vain_stores(func, analyzer))
        needs_facts = any(map(_depends_on_facts, nodes(func.body)))
        return func.with_body(_Removal(analyzer if needs_facts else None).rewrite(func.body))
