"""Loops are cut where conditions change: the main part has none of those that are likely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.deduce_bound import deduce_bound
from tvmscript.ir.arith.fold import FALSE, OPPOSITE, TRUE, add, is_const, logical_and, make, sub
from tvmscript.ir.arith.int_set import NEG_INF, POS_INF, IntervalSet
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import Visitor, nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import EQ, GE, LE, LT, Add, And, Call, CompareOp, IntImm, IterVar, Max, Min, Or, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AttrStmt, For, ForKind, IfThenElse, SeqStmt, seq
from tvmscript.ir.tir.substitute import copied, rename_definitions, uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass

_HINT: Final = "pragma_loop_partition_hint"

Domains = dict[Var, IntervalSet]


def _is_call(node: Any, name: str) -> bool:
    return isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == name


def _thread(node: AttrStmt) -> IterVar | None:
    """The thread axis that an attribute launches."""
    about: Any = node.node
    return about if node.attr_key == "thread_extent" and isinstance(about, IterVar) else None


class _Candidates(Visitor):
    """Loops and blocks of threads whose variable is in a likely condition, or that a pragma names."""

    def __init__(self, takes_constant: bool) -> None:
        self.takes_constant = takes_constant
        self.found: set[Stmt] = set()
        self.hinted: set[Var] = set()
        #: variables of loops around, and whether a likely condition uses them
        self.is_used: dict[Var, bool] = {}
        self.in_likely = False
        #: threads meet inside: all of them have to get there
        self.is_whole = False

    def consider(self, node: For | AttrStmt, var: Var) -> None:
        if var in self.hinted:
            self.found.add(node)
            self.walk(node)
            return
        self.is_used[var] = False
        self.walk(node)
        if self.is_used.pop(var) and not self.is_whole:
            self.found.add(node)

    @on(For)
    def loop(self, node: For) -> None:
        if isinstance(node.min, IntImm) and isinstance(node.extent, IntImm) and not self.takes_constant:
            self.walk(node)
        else:
            self.consider(node, node.loop_var)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis, about = _thread(node), node.node
        if axis is not None and axis.thread_tag.startswith("blockIdx"):
            if self.takes_constant or not isinstance(node.value, IntImm):
                self.consider(node, axis.var)
                return
        elif node.attr_key == _HINT:
            var: Any = about.var if isinstance(about, IterVar) else about
            self.hinted |= {var} if isinstance(var, Var) else _first_loop(node.body)
        self.walk(node)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> None:
        before = found = self.is_whole
        for part in node.seq:
            self.is_whole = before
            self.visit(part)
            found = found or self.is_whole
        self.is_whole = found

    @on(Call)
    def call(self, node: Call) -> None:
        if _is_call(node, "tir.tvm_thread_allreduce"):
            self.is_whole = True
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
    """The variable of the loop that a pragma stands in front of."""
    while isinstance(body, AttrStmt):
        body = body.body
    return {body.loop_var} if isinstance(body, For) else set()


@dataclass
class _Condition:
    """Where a condition is known to hold, and where it is known not to."""

    condition: Expr
    true: IntervalSet | None
    false: IntervalSet | None


class _Finder(Visitor):
    """Intervals of one variable in which conditions are decided, whatever loops inside do."""

    def __init__(self, var: Var, hints: Domains, relaxed: Domains, is_hinted: bool) -> None:
        self.var = var
        self.hints = dict(hints)
        self.relaxed = dict(relaxed)
        self.is_hinted = is_hinted
        self.outside = {*hints, *relaxed}
        self.found: list[_Condition] = []

    def inside(self, node: For | AttrStmt, var: Var, domain: IntervalSet) -> None:
        self.hints[var] = self.relaxed[var] = domain
        self.walk(node)
        del self.hints[var], self.relaxed[var]

    @on(For)
    def loop(self, node: For) -> None:
        if self.outside.isdisjoint(uses((node.min, node.extent))):
            self.inside(node, node.loop_var, _domain(node.min, node.extent))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis = _thread(node)
        if axis is None:
            self.walk(node)
        else:
            self.inside(node, axis.var, _domain(IntImm(node.value.dtype, 0), node.value))

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
        if self.is_hinted and isinstance(condition, And | Or):
            self.deduce(condition.a)
            self.deduce(condition.b)
            return
        false = None
        if isinstance(condition, CompareOp):
            false = self.interval(OPPOSITE[type(condition)](condition.a, condition.b))
        found = _Condition(condition, self.interval(condition), false)
        if found.true is not None or found.false is not None:
            self.found.append(found)

    def interval(self, condition: Expr) -> IntervalSet | None:
        found = deduce_bound(self.var, condition, self.hints, self.relaxed)
        return None if found.is_nothing() else found


def _domain(start: Expr, extent: Expr) -> IntervalSet:
    return IntervalSet(start, sub(add(start, extent), IntImm(extent.dtype, 1)))


class _Decided(TirRewriter):
    """Puts constants in the place of conditions."""

    def __init__(self, conditions: Iterable[Expr], value: bool) -> None:
        super().__init__()
        self.conditions = set(conditions)
        self.decided = TRUE if value else FALSE

    @on(CompareOp)
    def comparison(self, node: CompareOp) -> Expr:
        return self.decided if node in self.conditions else self.binary(node)


class _InThreads(TirRewriter):
    """Threads of blocks in which conditions are decided run without them; inside of the innermost launch."""

    def __init__(self, conditions: Iterable[Expr], value: bool, where: Expr) -> None:
        super().__init__()
        self.decided = _Decided(conditions, value)
        self.where = where

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if _thread(node) is None or any(isinstance(part, AttrStmt) and _thread(part) for part in nodes(node.body)):
            return self.descend(node)
        body = IfThenElse(self.where, self.decided.rewrite(node.body), rename_definitions(node.body), span=node.span)
        return AttrStmt(node.node, node.attr_key, node.value, body, span=node.span)


class _WithoutMarks(TirRewriter):
    @on(Call)
    def call(self, node: Call) -> Expr:
        if _is_call(node, "tir.likely"):
            return self.rewrite(node.args[0])
        return self.descend(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        return self.rewrite(node.body) if node.attr_key == _HINT else self.descend(node)


@dataclass
class _Parts:
    """A range in which conditions are decided, and what is known of its ends."""

    begin: Expr
    end: Expr
    #: iterations of the parts before and after, None where there are none
    before: Expr | None = None
    after: Expr | None = None
    #: whether these are known not to be negative
    is_before_sure: bool = True
    is_after_sure: bool = True
    conditions: list[Expr] = field(default_factory=list)


class _Partitioner(TirRewriter):
    def __init__(self, options: LoopPartition) -> None:
        super().__init__()
        self.options = options
        self.candidates = _Candidates(options.partition_const_loop)
        self.analyzer = Analyzer()
        self.hints: Domains = {}
        self.relaxed: Domains = {}
        #: variable of the part before or after a cut, and a value -> how many conditions can have it somewhere there.
        #: A part where that cannot be proved would be cut again without end.
        self.most: dict[tuple[Var, bool], int] = {}

    def again(self, stmt: Stmt) -> Stmt:
        """A statement with its own candidates cut."""
        self.candidates.visit(stmt)
        made: Stmt = self.rewrite(stmt)
        return made

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        if node in self.candidates.found:
            made = self.partitioned(node, node.loop_var, node.min, node.extent)
            if made is not None:
                return made
        return self.within(self.hints, node, node.loop_var, _domain(node.min, node.extent))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        axis = _thread(node)
        if axis is None:
            return self.descend(node)
        zero = IntImm(node.value.dtype, 0)
        self.analyzer.bind(axis.var, Range.from_min_extent(zero, node.value), allow_override=True)
        if node in self.candidates.found:
            made = self.partitioned(node, axis.var, zero, node.value)
            if made is not None:
                return made
        # threads of one block run together: what they do must not depend on which one it is
        domains = self.relaxed if axis.thread_tag.startswith("threadIdx") else self.hints
        return self.within(domains, node, axis.var, _domain(zero, node.value))

    def within(self, domains: Domains, node: Any, var: Var, domain: IntervalSet) -> Stmt:
        domains[var] = domain
        made: Stmt = self.descend(node)
        del domains[var]
        return made

    def partitioned(self, node: Any, var: Var, start: Expr, extent: Expr) -> Stmt | None:
        """The loop as up to three; None where no range has its conditions decided."""
        is_hinted = var in self.candidates.hinted
        finder = _Finder(var, {**self.hints, var: _domain(start, extent)}, self.relaxed, is_hinted)
        finder.visit(node.body)
        last = _domain(start, extent).max_value
        whole = IntervalSet(start, last)
        for value in (True, False):
            found = self.common(finder.found, whole, value)
            if found is not None:
                interval, conditions = found
                if len(conditions) > self.most.get((var, value), len(conditions)):
                    continue
                parts = self.ends(interval, start, last, is_loop=isinstance(node, For))
                parts.conditions = conditions
                if isinstance(node, AttrStmt):
                    return self.threads(node, var, start, last, parts, value)
                return self.loops(node, start, parts, value)
        is_unrolled = is_hinted and self.options.unroll_loop_with_partition_hint_no_interval
        if is_unrolled and finder.found and isinstance(node, For) and self.proves(LT(start, last)):
            return node.replace(kind=ForKind.UNROLLED, body=self.again(node.body), annotations={})
        return None

    def common(self, found: list[_Condition], whole: IntervalSet, value: bool) -> tuple[IntervalSet, list[Expr]] | None:
        """The interval in which all conditions that are decided anywhere in the loop have the value."""
        made: IntervalSet | None = None
        conditions: list[Expr] = []
        for each in found:
            interval = each.true if value else each.false
            if interval is None or self.is_empty(_intersection(interval, whole)):
                continue
            made = interval if made is None else _intersection(made, interval)
            conditions.append(each.condition)
        return None if made is None or self.is_empty(made) else (made, conditions)

    def is_empty(self, interval: IntervalSet) -> bool:
        low, high = interval.min_value, interval.max_value
        return low is not NEG_INF and high is not POS_INF and self.proves(LT(high, low))

    def proves(self, condition: Expr) -> bool:
        return self.analyzer.can_prove(condition)

    def ends(self, interval: IntervalSet, start: Expr, last: Expr, *, is_loop: bool) -> _Parts:
        """Where the range begins and ends in the loop. Threads are all there anyway, wherever it is."""
        simplify, one, zero = self.analyzer.simplify, IntImm(last.dtype, 1), IntImm(last.dtype, 0)
        parts = _Parts(start, add(last, one))
        if interval.min_value is not NEG_INF:
            begin = parts.begin = simplify(interval.min_value)
            if not self.proves(EQ(begin, start)):
                parts.before = simplify(sub(begin, start))
                if not self.proves(GE(parts.before, zero)):
                    parts.begin, parts.is_before_sure = make(Max, begin, start), False
                    parts.before = sub(parts.begin, start)
                if is_loop and not self.proves(LE(begin, add(last, one))):
                    # the range may begin behind the loop
                    parts.begin, parts.is_before_sure = make(Min, parts.begin, add(last, one)), False
                    parts.before = sub(parts.begin, start)
        if interval.max_value is not POS_INF:
            end = parts.end = simplify(add(interval.max_value, one))
            if not self.proves(EQ(interval.max_value, last)):
                parts.after = simplify(add(sub(last, end), one))
                if not self.proves(GE(parts.after, zero)):
                    parts.end, parts.is_after_sure = make(Min, end, add(last, one)), False
                if is_loop and not self.proves(GE(end, parts.begin)):
                    # the range may end before the loop
                    parts.end, parts.is_after_sure = make(Max, parts.end, parts.begin), False
                    parts.after = simplify(add(sub(last, parts.end), one))
        return parts

    def loops(self, node: For, start: Expr, parts: _Parts, value: bool) -> Stmt:
        made: list[Stmt] = []
        # before and after the range in which all conditions have the value, one of them has not
        most = {**self.limits(node.loop_var), value: len(parts.conditions) - 1}
        has_middle = not self.proves(GE(parts.begin, parts.end))
        if parts.before is not None and not self.is_none(parts.before):
            before = self.part(node, node.body, start, parts.before, most)
            made.append(self.again(before) if has_middle and parts.is_before_sure else before)
        if has_middle:
            body: Stmt = _Decided(parts.conditions, value).rewrite(node.body)
            extent = self.analyzer.simplify(sub(parts.end, parts.begin))
            made.append(self.again(self.part(node, body, parts.begin, extent)))
        if parts.after is not None and not self.is_none(parts.after):
            after = self.part(node, node.body, parts.end, parts.after, most)
            made.append(self.again(after) if has_middle and parts.is_after_sure else after)
        return seq(*made)

    def is_none(self, extent: Expr) -> bool:
        return self.proves(LE(extent, IntImm(extent.dtype, 0)))

    def limits(self, var: Var) -> dict[bool, int]:
        """How many conditions can have a value somewhere in a loop, where that is known."""
        return {value: self.most[var, value] for value in (True, False) if (var, value) in self.most}

    def part(self, node: For, body: Stmt, begin: Expr, extent: Expr, most: Mapping[bool, int] | None = None) -> Stmt:
        """A loop of so many iterations from begin on; the body alone for one iteration. What is known of conditions in
        it is said of those before and after a cut.
        """
        dtype, is_fresh = node.loop_var.dtype, most is not None
        is_one = self.proves(EQ(extent, IntImm(dtype, 1)))
        if is_one and not node.annotations and not self.options.no_unroll_loop_with_extent_one:
            only = begin if is_const(begin, 0) else Add(IntImm(dtype, 0), begin)
            return copied(body, {node.loop_var: only}, is_fresh=is_fresh)
        var = Var(node.loop_var.name, dtype) if is_fresh else node.loop_var
        if node.loop_var in self.candidates.hinted:
            self.candidates.hinted.add(var)
        self.most.update({(var, value): count for value, count in (most or {}).items()})
        body = copied(body, {node.loop_var: add(var, begin)}, is_fresh=is_fresh)
        return For(var, IntImm(dtype, 0), extent, node.kind, body, None, node.annotations, span=node.span)

    def threads(self, node: AttrStmt, var: Var, start: Expr, last: Expr, parts: _Parts, value: bool) -> Stmt:
        where: Expr = TRUE
        if not self.proves(EQ(parts.begin, start)):
            where = logical_and(where, GE(var, parts.begin))
        if not self.proves(EQ(parts.end, add(last, IntImm(last.dtype, 1)))):
            where = logical_and(where, LT(var, parts.end))
        made: Stmt = _InThreads(parts.conditions, value, where).rewrite(node)
        return made


def _intersection(a: IntervalSet, b: IntervalSet) -> IntervalSet:
    low = b.min_value if a.min_value is NEG_INF else a.min_value
    if a.min_value is not NEG_INF and b.min_value is not NEG_INF:
        low = make(Max, a.min_value, b.min_value)
    high = b.max_value if a.max_value is POS_INF else a.max_value
    if a.max_value is not POS_INF and b.max_value is not POS_INF:
        high = make(Min, a.max_value, b.max_value)
    return IntervalSet(low, high)


@dataclass(frozen=True)
class LoopPartition(PrimFuncPass):
    """Loops with likely conditions on their variable are cut into up to three: before, where they hold, after.

    The middle part has the conditions decided; no `T.likely` is left anywhere. Constant loops are cut with
    `partition_const_loop`, and loops with the pragma `loop_partition_hint` at any condition. A part of one iteration
    is written without a loop, unless `no_unroll_loop_with_extent_one`; a loop with the pragma that cannot be cut is
    unrolled with `unroll_loop_with_partition_hint_no_interval`. Blocks of threads become a branch.

    rewrite:
        for i in range(n):              for i in range(T.min(m, n)):
            if T.likely(i < m):             A[i] = 0
                A[i] = 0        -->     for i in range(n - m):
                                            if i + T.min(m, n) < m: ...
    """

    name: ClassVar[str] = "tir.LoopPartition"
    partition_const_loop: bool = False
    no_unroll_loop_with_extent_one: bool = False
    unroll_loop_with_partition_hint_no_interval: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        partitioner = _Partitioner(self)
        partitioner.candidates.visit(func.body)
        body = partitioner.rewrite(func.body) if partitioner.candidates.found else func.body
        return func.with_body(_WithoutMarks().rewrite(body))
