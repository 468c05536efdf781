"""Split loops where likely conditions change, so that the main part needs no conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.deduce_bound import deduce_bound
from tvmscript.ir.arith.fold import FALSE, OPPOSITE, TRUE, add, is_const, logical_and, make, sub
from tvmscript.ir.arith.int_set import NEG_INF, POS_INF, IntervalSet
from tvmscript.ir.core import Op, Visitor, nodes, on
from tvmscript.ir.tir import Expr, PrimFunc, StatementRewriter, Stmt, TirRewriter, Var, copied, rename_definitions, uses
from tvmscript.ir.tir.expr import EQ, GE, LE, LT, Add, And, Call, CompareOp, IntImm, IterVar, Max, Min, Or, Range
from tvmscript.ir.tir.stmt import AttrStmt, For, ForKind, IfThenElse, SeqStmt, seq
from tvmscript.ir.transform.base import PrimFuncPass

_HINT: Final = "pragma_loop_partition_hint"

Domains = dict[Var, IntervalSet]


def _is_call(node: object, name: str) -> bool:
    return isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == name


def _thread_axis(node: AttrStmt) -> IterVar | None:
    """Return the thread axis that an attribute launches."""
    axis = node.node
    return axis if node.attr_key == "thread_extent" and isinstance(axis, IterVar) else None


class _CandidateCollector(Visitor):
    """Collect loops and thread blocks whose variable is in a likely condition or that have the pragma."""

    def __init__(self, takes_constant: bool, takes_hinted: bool) -> None:
        self.takes_constant = takes_constant
        self.takes_hinted = takes_hinted
        self.stmts: set[Stmt] = set()
        self.hinted: set[Var] = set()
        #: variable of an enclosing loop -> whether a likely condition uses it
        self.is_used: dict[Var, bool] = {}
        self.in_likely = False
        #: whether the statement contains a barrier that all threads must reach
        self.has_barrier = False

    def consider(self, node: For | AttrStmt, var: Var) -> None:
        if var in self.hinted:
            self.stmts.add(node)
            self.walk(node)
            return
        self.is_used[var] = False
        self.walk(node)
        if self.is_used.pop(var) and not self.has_barrier:
            self.stmts.add(node)

    @on(For)
    def loop(self, node: For) -> None:
        is_constant = isinstance(node.min, IntImm) and isinstance(node.extent, IntImm)
        takes_it = node.loop_var in self.hinted if self.takes_hinted else self.takes_constant or not is_constant
        if not takes_it:
            self.walk(node)
        else:
            self.consider(node, node.loop_var)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis, target = _thread_axis(node), node.node
        if axis is not None and axis.thread_tag.startswith("blockIdx"):
            if self.takes_constant or not isinstance(node.value, IntImm):
                self.consider(node, axis.var)
                return
        elif node.attr_key == _HINT:
            var = target.var if isinstance(target, IterVar) else target
            self.hinted |= {var} if isinstance(var, Var) else _first_loop(node.body)
        self.walk(node)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> None:
        before = has_barrier = self.has_barrier
        for stmt in node.seq:
            self.has_barrier = before
            self.visit(stmt)
            has_barrier = has_barrier or self.has_barrier
        self.has_barrier = has_barrier

    @on(Call)
    def call(self, node: Call) -> None:
        if _is_call(node, "tir.tvm_thread_allreduce"):
            self.has_barrier = True
        elif _is_call(node, "tir.likely"):
            self.in_likely = True
            self.walk(node)
            self.in_likely = False
        else:
            self.walk(node)

    @on(Var)
    def variable(self, node: Var) -> None:
        if self.in_likely and node in self.is_used:
            self.is_used[node] = True


def _first_loop(body: Stmt) -> set[Var]:
    """Return the variable of the loop that a pragma precedes."""
    while isinstance(body, AttrStmt):
        body = body.body
    return {body.loop_var} if isinstance(body, For) else set()


class _Condition:
    """A condition over domains of inner variables (`hints`, `relaxed`), solved for a variable when it is asked."""

    def __init__(self, condition: Expr, var: Var, hints: Domains, relaxed: Domains) -> None:
        self.condition, self.var, self.hints, self.relaxed = condition, var, hints, relaxed

    @cached_property
    def true(self) -> IntervalSet | None:
        """The interval in which the condition provably holds."""
        return self._interval(self.condition)

    @cached_property
    def false(self) -> IntervalSet | None:
        """The interval in which the condition provably does not hold."""
        condition = self.condition
        if not isinstance(condition, CompareOp):
            return None
        return self._interval(OPPOSITE[type(condition)](condition.a, condition.b))

    def _interval(self, condition: Expr) -> IntervalSet | None:
        bounds = deduce_bound(self.var, condition, self.hints, self.relaxed)
        return None if bounds.is_nothing() else bounds


class _IntervalFinder(Visitor):
    """Find intervals of a variable in which conditions are constant for all inner iterations."""

    def __init__(self, var: Var, hints: Domains, relaxed: Domains, is_hinted: bool) -> None:
        self.var = var
        self.hints = dict(hints)
        self.relaxed = dict(relaxed)
        self.is_hinted = is_hinted
        self.outside = {*hints, *relaxed}
        self.conditions: list[_Condition] = []

    def walk_scope(self, node: For | AttrStmt, var: Var, domain: IntervalSet) -> None:
        self.hints[var] = self.relaxed[var] = domain
        self.walk(node)
        del self.hints[var], self.relaxed[var]

    @on(For)
    def loop(self, node: For) -> None:
        if self.outside.isdisjoint(uses((node.min, node.extent))):
            self.walk_scope(node, node.loop_var, _domain(node.min, node.extent))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis = _thread_axis(node)
        if axis is None:
            self.walk(node)
        else:
            self.walk_scope(node, axis.var, _domain(IntImm(node.value.dtype, 0), node.value))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        if self.is_hinted:
            self.deduce(node.condition)
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        if _is_call(node, "tir.likely") or (self.is_hinted and _is_call(node, "tir.if_then_else")):
            self.deduce(node.args[0])
        if not _is_call(node, "tir.likely"):
            self.walk(node)

    def deduce(self, condition: Expr) -> None:
        if _is_call(condition, "tir.likely") or self.var not in uses(condition):
            return
        if self.is_hinted and isinstance(condition, (And, Or)):
            self.deduce(condition.a)
            self.deduce(condition.b)
            return
        self.conditions.append(_Condition(condition, self.var, {**self.hints}, {**self.relaxed}))


def _domain(start: Expr, extent: Expr) -> IntervalSet:
    return IntervalSet(start, sub(add(start, extent), IntImm(extent.dtype, 1)))


class _ConditionReplacer(TirRewriter):
    """Replace conditions by a constant."""

    def __init__(self, conditions: Iterable[Expr], value: bool) -> None:
        super().__init__()
        self.conditions = set(conditions)
        self.replacement = TRUE if value else FALSE

    @on(CompareOp)
    def comparison(self, node: CompareOp) -> Expr:
        return self.replacement if node in self.conditions else self.binary(node)


class _ThreadPartitioner(StatementRewriter):
    """Branch on the thread index inside of the innermost launch; one branch has the conditions replaced."""

    def __init__(self, conditions: Iterable[Expr], value: bool, where: Expr) -> None:
        super().__init__()
        self.replacer = _ConditionReplacer(conditions, value)
        self.where = where

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if _thread_axis(node) is None or any(
            isinstance(inner, AttrStmt) and _thread_axis(inner) for inner in nodes(node.body)
        ):
            return self.descend(node)
        body = IfThenElse(self.where, self.replacer.rewrite(node.body), rename_definitions(node.body), span=node.span)
        return AttrStmt(node.node, node.attr_key, node.value, body, span=node.span)


class _LikelyRemover(TirRewriter):
    @on(Call)
    def call(self, node: Call) -> Expr:
        if _is_call(node, "tir.likely"):
            return self.rewrite(node.args[0])
        return self.descend(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        return self.rewrite(node.body) if node.attr_key == _HINT else self.descend(node)


@dataclass
class _Partition:
    """The middle part of a loop, in which conditions are constant, and the parts around it."""

    begin: Expr
    end: Expr
    #: trip counts of the parts before and after; None if there is no such part
    before: Expr | None = None
    after: Expr | None = None
    #: whether these are provably not negative
    is_before_sure: bool = True
    is_after_sure: bool = True
    conditions: list[Expr] = field(default_factory=list)


class _Partitioner(StatementRewriter):
    def __init__(self, options: LoopPartition) -> None:
        super().__init__()
        self.options = options
        self.candidates = _CandidateCollector(options.partition_const_loop, options.only_hinted)
        self.analyzer = Analyzer()
        self.hints: Domains = {}
        self.relaxed: Domains = {}
        #: (variable of the part before or after a split, truth value) -> maximal number of conditions with this value
        #: there. Without this limit, a part could be split again without end.
        self.limits: dict[tuple[Var, bool], int] = {}

    def partition_again(self, stmt: Stmt) -> Stmt:
        """Partition the candidates of a new statement."""
        self.candidates.visit(stmt)
        return self.rewrite(stmt)

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        if node in self.candidates.stmts:
            stmt = self.partition(node, node.loop_var, node.min, node.extent)
            if stmt is not None:
                return stmt
        return self.descend_in_domain(self.hints, node, node.loop_var, _domain(node.min, node.extent))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        axis = _thread_axis(node)
        if axis is None:
            return self.descend(node)
        zero = IntImm(node.value.dtype, 0)
        self.analyzer.bind(axis.var, Range.from_min_extent(zero, node.value), allow_override=True)
        if node in self.candidates.stmts:
            stmt = self.partition(node, axis.var, zero, node.value)
            if stmt is not None:
                return stmt
        # the partition must be the same for all threads of a block
        domains = self.relaxed if axis.thread_tag.startswith("threadIdx") else self.hints
        return self.descend_in_domain(domains, node, axis.var, _domain(zero, node.value))

    def descend_in_domain(self, domains: Domains, node: Any, var: Var, domain: IntervalSet) -> Stmt:
        domains[var] = domain
        stmt: Stmt = self.descend(node)
        del domains[var]
        return stmt

    def partition(self, node: Any, var: Var, start: Expr, extent: Expr) -> Stmt | None:
        """Split a loop into up to three; None if no interval makes conditions constant."""
        is_hinted = var in self.candidates.hinted
        finder = _IntervalFinder(var, {**self.hints, var: _domain(start, extent)}, self.relaxed, is_hinted)
        finder.visit(node.body)
        last = _domain(start, extent).max_value
        whole = IntervalSet(start, last)
        for value in (True, False):
            common = self.common_interval(finder.conditions, whole, value)
            if common is not None:
                interval, conditions = common
                if len(conditions) > self.limits.get((var, value), len(conditions)):
                    continue
                parts = self.bounds_of_parts(interval, start, last, is_loop=isinstance(node, For))
                parts.conditions = conditions
                if isinstance(node, AttrStmt):
                    return self.split_threads(node, var, start, last, parts, value)
                return self.split_loop(node, start, parts, value)
        is_unrolled = is_hinted and self.options.unroll_loop_with_partition_hint_no_interval
        has_interval = any(each.true is not None or each.false is not None for each in finder.conditions)
        if is_unrolled and has_interval and isinstance(node, For) and self.proves(LT(start, last)):
            return node.replace(kind=ForKind.UNROLLED, body=self.partition_again(node.body), annotations={})
        return None

    def common_interval(
        self, all_conditions: list[_Condition], whole: IntervalSet, value: bool
    ) -> tuple[IntervalSet, list[Expr]] | None:
        """Return the interval in which all conditions that are constant somewhere in the loop have the value."""
        result: IntervalSet | None = None
        conditions: list[Expr] = []
        for decided in all_conditions:
            interval = decided.true if value else decided.false
            if interval is None or self.is_empty(_intersect(interval, whole)):
                continue
            result = interval if result is None else _intersect(result, interval)
            conditions.append(decided.condition)
        return None if result is None or self.is_empty(result) else (result, conditions)

    def is_empty(self, interval: IntervalSet) -> bool:
        low, high = interval.min_value, interval.max_value
        return low is not NEG_INF and high is not POS_INF and self.proves(LT(high, low))

    def proves(self, condition: Expr) -> bool:
        return self.analyzer.can_prove(condition)

    def bounds_of_parts(self, interval: IntervalSet, start: Expr, last: Expr, *, is_loop: bool) -> _Partition:
        """Compute the bounds of the middle part, clamped to the loop; thread indices need no clamping."""
        simplify, one, zero = self.analyzer.simplify, IntImm(last.dtype, 1), IntImm(last.dtype, 0)
        parts = _Partition(start, add(last, one))
        if interval.min_value is not NEG_INF:
            begin = parts.begin = simplify(interval.min_value)
            if not self.proves(EQ(begin, start)):
                parts.before = simplify(sub(begin, start))
                if not self.proves(GE(parts.before, zero)):
                    parts.begin, parts.is_before_sure = make(Max, begin, start), False
                    parts.before = sub(parts.begin, start)
                if is_loop and not self.proves(LE(begin, add(last, one))):
                    # the middle part may begin after the loop
                    parts.begin, parts.is_before_sure = make(Min, parts.begin, add(last, one)), False
                    parts.before = sub(parts.begin, start)
        if interval.max_value is not POS_INF:
            end = parts.end = simplify(add(interval.max_value, one))
            if not self.proves(EQ(interval.max_value, last)):
                parts.after = simplify(add(sub(last, end), one))
                if not self.proves(GE(parts.after, zero)):
                    parts.end, parts.is_after_sure = make(Min, end, add(last, one)), False
                if is_loop and not self.proves(GE(end, parts.begin)):
                    # the middle part may end before the loop
                    parts.end, parts.is_after_sure = make(Max, parts.end, parts.begin), False
                    parts.after = simplify(add(sub(last, parts.end), one))
        return parts

    def split_loop(self, node: For, start: Expr, parts: _Partition, value: bool) -> Stmt:
        stmts: list[Stmt] = []
        # before and after the middle part, at least one condition has the other value
        limits = {**self.limits_of(node.loop_var), value: len(parts.conditions) - 1}
        has_middle = not self.proves(GE(parts.begin, parts.end))
        if parts.before is not None and not self.is_empty_extent(parts.before):
            before = self.make_part(node, node.body, start, parts.before, limits)
            stmts.append(self.partition_again(before) if has_middle and parts.is_before_sure else before)
        if has_middle:
            body: Stmt = _ConditionReplacer(parts.conditions, value).rewrite(node.body)
            extent = self.analyzer.simplify(sub(parts.end, parts.begin))
            stmts.append(self.partition_again(self.make_part(node, body, parts.begin, extent)))
        if parts.after is not None and not self.is_empty_extent(parts.after):
            after = self.make_part(node, node.body, parts.end, parts.after, limits)
            stmts.append(self.partition_again(after) if has_middle and parts.is_after_sure else after)
        return seq(*stmts)

    def is_empty_extent(self, extent: Expr) -> bool:
        return self.proves(LE(extent, IntImm(extent.dtype, 0)))

    def limits_of(self, var: Var) -> dict[bool, int]:
        """Return the known limits of a loop variable by truth value."""
        return {value: self.limits[var, value] for value in (True, False) if (var, value) in self.limits}

    def make_part(
        self, node: For, body: Stmt, begin: Expr, extent: Expr, limits: Mapping[bool, int] | None = None
    ) -> Stmt:
        """Return a loop of `extent` iterations from `begin` on, or the body for a single iteration.

        The parts before and after a split have `limits` on the number of conditions by truth value.
        """
        dtype, is_fresh = node.loop_var.dtype, limits is not None
        is_one = self.proves(EQ(extent, IntImm(dtype, 1)))
        if is_one and not node.annotations and not self.options.no_unroll_loop_with_extent_one:
            only = begin if is_const(begin, 0) else Add(IntImm(dtype, 0), begin)
            return copied(body, {node.loop_var: only}, is_fresh=is_fresh)
        var = Var(node.loop_var.name, dtype) if is_fresh else node.loop_var
        if node.loop_var in self.candidates.hinted:
            self.candidates.hinted.add(var)
        self.limits.update({(var, value): count for value, count in (limits or {}).items()})
        body = copied(body, {node.loop_var: add(var, begin)}, is_fresh=is_fresh)
        return For(var, IntImm(dtype, 0), extent, node.kind, body, None, node.annotations, span=node.span)

    def split_threads(self, node: AttrStmt, var: Var, start: Expr, last: Expr, parts: _Partition, value: bool) -> Stmt:
        where: Expr = TRUE
        if not self.proves(EQ(parts.begin, start)):
            where = logical_and(where, GE(var, parts.begin))
        if not self.proves(EQ(parts.end, add(last, IntImm(last.dtype, 1)))):
            where = logical_and(where, LT(var, parts.end))
        return _ThreadPartitioner(parts.conditions, value, where).rewrite(node)


def _intersect(a: IntervalSet, b: IntervalSet) -> IntervalSet:
    low = b.min_value if a.min_value is NEG_INF else a.min_value
    if a.min_value is not NEG_INF and b.min_value is not NEG_INF:
        low = make(Max, a.min_value, b.min_value)
    high = b.max_value if a.max_value is POS_INF else a.max_value
    if a.max_value is not POS_INF and b.max_value is not POS_INF:
        high = make(Min, a.max_value, b.max_value)
    return IntervalSet(low, high)


@dataclass(frozen=True)
class LoopPartition(PrimFuncPass):
    """Split loops with likely conditions on their variable into up to three: before, while and after they hold.

    The conditions are constant in the middle part, and all `T.likely` marks are removed. Loops of constant extent are
    split with `partition_const_loop`, and loops with the pragma `loop_partition_hint` at any condition; with
    `only_hinted` those alone, of constant extent too. A part of one iteration becomes its body, unless
    `no_unroll_loop_with_extent_one` is set. A loop with the pragma that cannot be split is unrolled with
    `unroll_loop_with_partition_hint_no_interval`. Thread blocks get a branch instead of a split.

    rewrite:
        for i in range(n):              for i in range(T.min(m, n)):
            if T.likely(i < m):             A[i] = 0
                A[i] = 0        -->     for i in range(n - m):
                                            if i + T.min(m, n) < m: ...
    """

    name = "tir.LoopPartition"
    is_idempotent = True
    partition_const_loop: bool = False
    no_unroll_loop_with_extent_one: bool = False
    unroll_loop_with_partition_hint_no_interval: bool = False
    only_hinted: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        partitioner = _Partitioner(self)
        partitioner.candidates.visit(func.body)
        body = partitioner.rewrite(func.body) if partitioner.candidates.stmts else func.body
        return func.with_body(_LikelyRemover().rewrite(body))
