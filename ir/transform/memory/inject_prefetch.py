"""Insert prefetches for statements that are marked with a number of iterations."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, sub
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set, union
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import Buffer, Expr, Prefetch, PrimFunc, StatementRewriter, Stmt, Var, match_types, substitute
from tvmscript.ir.tir.expr import BufferLoad, IntImm, Range
from tvmscript.ir.tir.stmt import AttrStmt, For, ForKind, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import PrefetchOutsideLoop

SCOPE = "prefetch_scope"


class _ReadRegion(Visitor):
    """The region of a buffer that a statement reads."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.analyzer = Analyzer()
        self.loops: dict[Var, IntSet] = {}
        #: interval of each index, for each access
        self.accesses: list[list[IntervalSet]] = []

    @on(For)
    def loop(self, node: For) -> None:
        self.loops[node.loop_var] = _loop_values(node)
        self.walk(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        if node.buffer is self.buffer:
            self.accesses.append([eval_set(index, self.loops, self.analyzer) for index in node.indices])
        self.walk(node)

    @property
    def region(self) -> list[IntervalSet]:
        """The bounding box of all accesses; empty if there are none."""
        return [union(intervals, self.analyzer) for intervals in zip(*self.accesses, strict=True)]


def _loop_values(loop: For) -> IntervalSet:
    """Return the interval of a loop variable."""
    last = sub(add(loop.min, loop.extent), IntImm(loop.extent.dtype, 1))
    return IntSet.interval(loop.min, last)


class _PrefetchInserter(StatementRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.analyzer = Analyzer()
        self.loops: list[Var] = []
        self.vectors: dict[Var, IntSet] = {}

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.loops.append(node.loop_var)
        if node.kind is ForKind.VECTORIZED:
            self.vectors[node.loop_var] = _loop_values(node)
        stmt: Stmt = self.descend(node)
        self.loops.pop()
        self.vectors.pop(node.loop_var, None)
        return stmt

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        attr: AttrStmt = self.descend(node)
        buffer = attr.node
        if attr.attr_key != SCOPE or not isinstance(buffer, Buffer):
            return attr
        if not self.loops:
            raise PrefetchOutsideLoop(buffer=buffer.name, span=node.span)
        reads = _ReadRegion(buffer)
        reads.visit(attr.body)
        region = [self.shift_region(interval, attr.value) for interval in reads.region]
        bounds = [interval for interval in region if interval is not None]
        if not region or len(bounds) < len(region):
            return attr.body
        return seq(Prefetch(buffer, tuple(bounds), span=node.span), attr.body)

    def shift_region(self, values: IntervalSet, iterations: Expr) -> Range | None:
        """Return the range of an index `iterations` later; None if it is unbounded."""
        var = self.loops[-1]
        vectors = {thread: domain for thread, domain in self.vectors.items() if thread is not var}
        interval = eval_set(values, vectors, self.analyzer) if vectors else values
        if not (interval.has_lower_bound and interval.has_upper_bound):
            return None
        ahead = add(*match_types(var, iterations))
        low, high = (substitute(end, {var: ahead}) for end in (interval.min_value, interval.max_value))
        extent = self.analyzer.simplify(add(sub(high, low), IntImm(low.dtype, 1)))
        return Range.from_min_extent(self.analyzer.simplify(low), extent)


@dataclass(frozen=True)
class InjectPrefetch(PrimFuncPass):
    """Prefetch the region of a buffer that a statement under the attribute `prefetch_scope` will read.

    The value of the attribute is the number of iterations of the innermost loop ahead. Only functions from TE schedules
    are changed. An unbounded region is not prefetched. Raises `PrefetchOutsideLoop`.

    rewrite:
        for i in range(8):                               for i in range(8):
            with T.attr(A, "prefetch_scope", 1):   -->       T.prefetch(A, [T.Range(i * 4 + 4, i * 4 + 8)])
                for j in range(4):                           for j in range(4):
                    B[i * 4 + j] = A[i * 4 + j]                  B[i * 4 + j] = A[i * 4 + j]
    """

    name = "tir.InjectPrefetch"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not is_from_te(func) or not any(
            isinstance(stmt, AttrStmt) and stmt.attr_key == SCOPE for stmt in statements(func.body)
        ):
            return func
        return func.with_body(_PrefetchInserter().rewrite(func.body))
