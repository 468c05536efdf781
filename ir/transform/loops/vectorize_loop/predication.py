"""Vectorize conditions that differ between lanes: loads and stores under a mask."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cached_property, reduce
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import broadcast, index_add
from tvmscript.ir.arith.fold import conjuncts, logical_not
from tvmscript.ir.arith.intervals.interval_analysis import WrappingIntervalAnalysis
from tvmscript.ir.core import Node, Op, nodes, on
from tvmscript.ir.tir import Expr, Stmt, Var, substitute, uses
from tvmscript.ir.tir.expr import (
    And,
    BinaryOp,
    Broadcast,
    BufferLoad,
    Call,
    Div,
    FloorDiv,
    FloorMod,
    IntImm,
    Mod,
    Or,
    Range,
    Select,
)
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import (
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    SeqStmt,
)
from tvmscript.ir.transform.loops.vectorize_loop.vectorizer import NeedsScalars, Vectorizer, broadcast_to

#: statements that may run under a mask
_MASKABLE: Final = (BufferStore, DeclBuffer, Evaluate, For, IfThenElse, LetStmt, SeqStmt)
#: expressions that are undefined for some operands
_PARTIAL: Final = (BufferLoad, Call, Div, FloorDiv, FloorMod, Mod)


class PredicatedVectorizer(Vectorizer):
    """Vectorize the body of one loop; a condition that differs between lanes becomes a mask of loads and stores.

    A masked load gives 0 in inactive lanes. What an inactive lane computes has no effect: integers are divided by 1
    there, and what is the same in all lanes is evaluated only if some lane is active or it cannot fail.
    """

    def __init__(self, loop: For, lanes: int, domain: Sequence[tuple[Var, Range]] = ()) -> None:
        super().__init__(loop, lanes, is_lenient=True, has_masks=False)
        #: enclosing loops
        self.enclosing = [*domain]
        #: the lanes that are active, None: all of them
        self.mask: Expr | None = None
        #: the conditions under which one lane is active, in terms of the loop variable
        self.conditions: tuple[Expr, ...] = ()
        self._runs: dict[tuple[Expr, ...], bool] = {}

    # -- masks

    @contextmanager
    def under(self, mask: Expr, condition: Expr) -> Generator[None, None, None]:
        """Restrict the active lanes to those of a mask, which is the vector form of the condition."""
        outside = self.mask, self.conditions
        mask = broadcast_to(mask, self.lanes)
        self.mask = mask if self.mask is None else And(self.mask, mask)
        self.conditions = (*self.conditions, condition)
        try:
            yield
        finally:
            self.mask, self.conditions = outside

    def is_varying(self, expr: Expr) -> bool:
        """Return whether an expression may differ between lanes."""
        used = uses(expr)
        return self.var in used or not self.vectors.isdisjoint(used)

    @cached_property
    def analyzer(self) -> Analyzer:
        analyzer = Analyzer()
        for var, domain in self.enclosing:
            analyzer.bind(var, domain, allow_override=True)
        return analyzer

    @cached_property
    def intervals(self) -> WrappingIntervalAnalysis:
        intervals = WrappingIntervalAnalysis()
        for var, domain in self.enclosing:
            intervals.bind(var, domain)
        return intervals

    def some_lane_runs(self) -> bool:
        """Return whether the first or the last lane is provably active."""
        if self.mask is None:
            return True
        key = self.conditions
        if key not in self._runs:
            self._runs[key] = any(self._runs_in(lane) for lane in (0, self.lanes - 1))
        return self._runs[key]

    def _runs_in(self, lane: int) -> bool:
        if any(isinstance(part, BufferLoad) for condition in self.conditions for part in nodes(condition)):
            return False
        place = {self.var: index_add(self.start, IntImm(self.var.dtype, lane))}
        return all(self.analyzer.can_prove(substitute(condition, place)) for condition in self.conditions)

    def stays_inside(self, load: BufferLoad, indices: tuple[Expr, ...]) -> bool:
        """Return whether all lanes of a load are provably in bounds, the inactive ones too."""
        return all(
            isinstance(extent, IntImm) and self.intervals.of(index).within(0, extent.value - 1)
            for index, extent in zip(indices, load.buffer.shape, strict=True)
        )

    # -- statements

    def rewrite(self, node: Any) -> Any:
        if self.mask is None or not isinstance(node, Stmt):
            return super().rewrite(node)
        if not isinstance(node, _MASKABLE):
            raise NeedsScalars
        # without the serial loop of the base class, which would run in all lanes
        return self.table[type(node)](self, node)

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        if node.else_case is None:
            uniform, varying = self._split_condition(node.condition)
            if uniform and varying:
                inner = node.replace(condition=reduce(And, varying))
                return node.replace(condition=self.scalar(reduce(And, uniform)), then_case=self.rewrite(inner))
        condition: Expr = self.rewrite(node.condition)
        cases = [node.then_case] if node.else_case is None else [node.then_case, node.else_case]
        if condition.dtype.lanes == 1:
            return IfThenElse(condition, *map(self.rewrite, cases), span=node.span)
        mask, is_loaded = condition, any(isinstance(part, BufferLoad) for part in nodes(condition))
        if is_loaded:  # the statement may change what the condition reads
            mask = Var("mask", condition.dtype)
        parts: list[Stmt] = []
        for case, holds in zip(cases, (True, False), strict=False):
            with self.under(mask if holds else logical_not(mask), _negated_unless(holds, node.condition)):
                parts.append(self.rewrite(case))
        body = flatten_seq(tuple(parts), node)
        return LetStmt(mask, condition, body, span=node.span) if isinstance(mask, Var) else body

    def _split_condition(self, condition: Expr) -> tuple[list[Expr], list[Expr]]:
        """Return the parts of a condition that are equal in all lanes and safe to evaluate first, and the others."""
        uniform: list[Expr] = []
        varying: list[Expr] = []
        for part in conjuncts(condition):
            is_first = not self.is_varying(part) and not (varying and _is_partial(part))
            (uniform if is_first else varying).append(part)
        return uniform, varying

    @on(For)
    def loop(self, node: For) -> Stmt:
        if self.mask is not None and node.kind not in (ForKind.SERIAL, ForKind.UNROLLED):
            raise NeedsScalars
        low, extent = self.scalar(node.min), self.scalar(node.extent)
        self._bind(node.loop_var, Range.from_min_extent(low, extent))
        return node.replace(min=low, extent=extent, body=self.rewrite(node.body))

    def _bind(self, var: Var, domain: Range) -> None:
        self.enclosing.append((var, domain))
        for name in ("analyzer", "intervals"):
            self.__dict__.pop(name, None)
        self._runs.clear()

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if self.mask is None:
            return super().store(node)
        indices = self.indices(node.indices)
        value: Expr = self.rewrite(node.value)
        self._check_access(node, indices)
        return BufferStore(node.buffer, broadcast_to(value, self.lanes), indices, self.mask, span=node.span)

    def _check_access(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> None:
        """Raise `NeedsScalars` for an access without a masked form."""
        if node.predicate is not None or node.buffer.dtype.lanes != 1 or not indices:
            raise NeedsScalars
        if node.indices[-1].dtype.lanes != 1 or indices[-1].dtype.lanes != self.lanes:
            raise NeedsScalars
        if any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise NeedsScalars

    # -- expressions

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if self.mask is None:
            return super().load(node)
        indices = self.indices(node.indices)
        if indices is node.indices:
            if node.predicate is None and (self.some_lane_runs() or self.stays_inside(node, indices)):
                return node
            if indices and indices[-1].dtype.lanes == 1:
                indices = (*indices[:-1], broadcast(indices[-1], self.lanes))
        self._check_access(node, indices)
        mask = None if self.stays_inside(node, indices) else self.mask
        return BufferLoad(node.buffer, indices, mask, span=node.span)

    @on(Div, FloorDiv, FloorMod, Mod)
    def division(self, node: BinaryOp) -> Expr:
        divisor = node.b.value if isinstance(node.b, Broadcast) else node.b
        is_safe = isinstance(divisor, IntImm) and divisor.value not in (0, -1)
        if self.mask is None or not node.dtype.is_integer or is_safe:
            return self.binary(node)
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        if a.dtype.lanes == b.dtype.lanes == node.dtype.lanes and self.some_lane_runs():
            return node.rebuild(a=a, b=b)
        if node.dtype.lanes != 1:
            raise NeedsScalars
        one = broadcast(IntImm(node.b.dtype, 1), self.lanes)
        quotient = broadcast_to(a, self.lanes), Select(self.mask, broadcast_to(b, self.lanes), one)
        return type(node)(*quotient, span=node.span)

    @on(And, Or)
    def connective(self, node: And | Or) -> Expr:
        if node.dtype.lanes != 1:
            return self.binary(node)
        a: Expr = self.rewrite(node.a)
        if (a.dtype.lanes == 1 and not self.is_varying(node.b)) or self.is_harmless(node.b, node.a):
            b: Expr = self.rewrite(node.b)
        else:
            decides = isinstance(node, Or)
            with self.under(logical_not(a) if decides else a, _negated_unless(not decides, node.a)):
                b = self.rewrite(node.b)
        if a is node.a and b is node.b:
            return node
        if a.dtype.lanes == b.dtype.lanes == 1:
            return type(node)(a, b, span=node.span)
        return type(node)(broadcast_to(a, self.lanes), broadcast_to(b, self.lanes), span=node.span)

    def pure_call(self, node: Call, op: Op) -> Expr:
        if op.name == "tir.if_then_else":
            return self._choose(node)
        if op.name == "tir.likely":
            condition: Expr = self.rewrite(node.args[0])
            if condition.dtype.lanes != 1:
                return condition
        if self.mask is not None and not self.has_vector_form(op) and not self.some_lane_runs():
            raise NeedsScalars
        return super().pure_call(node, op)

    def _choose(self, node: Call) -> Expr:
        condition: Expr = self.rewrite(node.args[0])
        if condition.dtype.lanes == 1:
            return self.choose(node, condition)
        lanes = self.times(node.dtype.lanes)
        if condition.dtype.lanes != self.lanes or lanes != self.lanes:
            raise NeedsScalars
        chosen: list[Expr] = []
        for value, holds in zip(node.args[1:], (True, False), strict=True):
            with self.under(condition if holds else logical_not(condition), _negated_unless(holds, node.args[0])):
                chosen.append(broadcast_to(self.rewrite(value), lanes))
        return Select(condition, *chosen, span=node.span)


def _negated_unless(holds: bool, condition: Expr) -> Expr:
    return condition if holds else logical_not(condition)


def _is_partial(expr: Node) -> bool:
    return any(isinstance(part, _PARTIAL) for part in nodes(expr))


def vectorize_predicated(loop: For, lanes: int, domain: Sequence[tuple[Var, Range]] = ()) -> Stmt:
    """Vectorize the body of a loop of `lanes` iterations, with masks for conditions that differ between lanes."""
    result: Stmt = PredicatedVectorizer(loop, lanes, domain).rewrite(loop.body)
    return result
