"""Where a loop is marked for it, what a later iteration reads is asked for in advance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, sub
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set, union
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AttrStmt, For, ForKind, seq
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.te_nodes import Prefetch
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import PrefetchOutsideLoop

SCOPE = "prefetch_scope"


class _Reads(Visitor):
    """The region of a buffer that a statement reads."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.analyzer = Analyzer()
        self.loops: dict[Var, IntSet] = {}
        #: for each access the values of its indices
        self.found: list[list[IntervalSet]] = []

    @on(For)
    def loop(self, node: For) -> None:
        self.loops[node.loop_var] = _values(node)
        self.walk(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        if node.buffer is self.buffer:
            self.found.append([eval_set(index, self.loops, self.analyzer) for index in node.indices])
        self.walk(node)

    @property
    def region(self) -> list[IntervalSet]:
        """The smallest box around all accesses; nothing where there are none."""
        return [union(each, self.analyzer) for each in zip(*self.found, strict=True)]


def _values(loop: For) -> IntervalSet:
    """All values of a loop's variable."""
    last = sub(add(loop.min, loop.extent), IntImm(loop.extent.dtype, 1))
    return IntSet.interval(loop.min, last)


class _Prefetching(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.analyzer = Analyzer()
        self.loops: list[Var] = []
        self.vectors: dict[Var, IntSet] = {}

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.loops.append(node.loop_var)
        if node.kind is ForKind.VECTORIZED:
            self.vectors[node.loop_var] = _values(node)
        made: Stmt = self.descend(node)
        self.loops.pop()
        self.vectors.pop(node.loop_var, None)
        return made

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        made: AttrStmt = self.descend(node)
        buffer = made.node
        if made.attr_key != SCOPE or not isinstance(buffer, Buffer):
            return made
        if not self.loops:
            raise PrefetchOutsideLoop(buffer=buffer.name, span=node.span)
        reads = _Reads(buffer)
        reads.visit(made.body)
        region = [self.later(each, made.value) for each in reads.region]
        bounds = [each for each in region if each is not None]
        if not region or len(bounds) < len(region):
            return made.body
        return seq(Prefetch(buffer, tuple(bounds), span=node.span), made.body)

    def later(self, values: IntervalSet, iterations: Expr) -> Range | None:
        """What an index is so many iterations later; None where it has no limit."""
        var = self.loops[-1]
        vectors = {each: domain for each, domain in self.vectors.items() if each is not var}
        made = eval_set(values, vectors, self.analyzer) if vectors else values
        if not (made.has_lower_bound and made.has_upper_bound):
            return None
        ahead = add(*match_types(var, iterations))
        low, high = (substitute(end, {var: ahead}) for end in (made.min_value, made.max_value))
        extent = self.analyzer.simplify(add(sub(high, low), IntImm(low.dtype, 1)))
        return Range.from_min_extent(self.analyzer.simplify(low), extent)


@dataclass(frozen=True)
class InjectPrefetch(PrimFuncPass):
    """A statement under the attribute `prefetch_scope` of a buffer, whose value is a number of iterations, comes after
    a prefetch of the region that it reads so many iterations of the innermost loop later. Functions out of TE schedules
    alone are changed; a region without limits is not prefetched. Raises `PrefetchOutsideLoop`.

    rewrite:
        for i in range(8):                               for i in range(8):
            with T.attr(A, "prefetch_scope", 1):   -->       T.prefetch(A, [T.Range(i * 4 + 4, i * 4 + 8)])
                for j in range(4):                           for j in range(4):
                    B[i * 4 + j] = A[i * 4 + j]                  B[i * 4 + j] = A[i * 4 + j]
    """

    name: ClassVar[str] = "tir.InjectPrefetch"

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not is_from_te(func) or not any(
            isinstance(each, AttrStmt) and each.attr_key == SCOPE for each in statements(func.body)
        ):
            return func
        return func.with_body(_Prefetching().rewrite(func.body))
