"""Prove by intervals of numbers that all accesses of a function stay inside their buffers.

Most functions have plain loops and buffers of constant shape: their proof needs no analyzer. `out_of_bounds` finds what
is wrong with the others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from tvmscript.ir.arith.fold import conjuncts
from tvmscript.ir.arith.intervals.bounds import Bounds, intersect
from tvmscript.ir.arith.intervals.interval_analysis import IntervalAnalysis
from tvmscript.ir.core import Node, Visitor, on
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, IntImm, PrimFunc, Range, Stmt, Var
from tvmscript.ir.tir.expr import GE, GT, LE, LT, Call, Let
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.stmt import BlockRealize, BufferStore, Evaluate, For, IfThenElse, SeqStmt


def stays_plainly_inside(func: PrimFunc) -> bool:
    """Return whether every access is proven to stay inside its buffer; False where the proof needs more."""
    proof = _Proof(func)
    proof.visit(func.body)
    return proof.holds


class _Proof(Visitor):
    """The intervals of variables at a place of the program."""

    def __init__(self, func: PrimFunc) -> None:
        self.holds = True
        self.intervals = IntervalAnalysis()
        #: buffers that are all of their memory
        self.whole: set[Buffer] = {*func.buffer_map.values()}

    @on(Stmt, Let)
    def other(self, node: Node) -> None:
        self.holds = False

    @on(SeqStmt, Evaluate, IfThenElse)
    def plain(self, node: Stmt) -> None:
        if self.holds:
            self.walk(node)

    @on(For)
    def loop(self, node: For) -> None:
        self.visit_all((node.min, node.extent))
        self.intervals.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        self.visit(node.body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        block = node.block
        self.visit_all((*node.iter_values, node.predicate))
        for axis, value in zip(block.iter_vars, node.iter_values, strict=True):
            self.intervals.bind_bounds(axis.var, self.intervals.of(value))
        self.whole.update(block.alloc_buffers)
        self.holds = self.holds and not block.match_buffers
        if block.init is not None:
            self.visit(block.init)
        self.visit(block.body)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.access(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.access(node)
        self.visit(node.value)

    def access(self, node: BufferLoad | BufferStore) -> None:
        """Prove that an access stays inside."""
        if not self.holds:
            return
        self.holds = node.buffer in self.whole and node.predicate is None
        for index, extent in zip(node.indices, node.buffer.shape, strict=True):
            self.visit(index)
            inside = isinstance(extent, IntImm) and self.intervals.of(index).within(0, extent.value - 1)
            self.holds = self.holds and inside

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is not if_then_else_ or node.dtype.lanes > 1:
            self.walk(node)
            return
        condition, chosen, other = node.args
        self.visit(condition)
        with self.assuming(condition):
            self.visit(chosen)
        self.visit(other)

    @contextmanager
    def assuming(self, condition: Expr) -> Generator[None, None, None]:
        """Narrow the intervals of variables that a condition compares with numbers."""
        outside = self.intervals.known
        self.intervals.known = {**outside}
        for part in conjuncts(condition):
            narrowed = _limit(part)
            if narrowed is not None:
                var, limits = narrowed
                self.intervals.bind_bounds(var, intersect(self.intervals.of(var), limits))
        yield
        self.intervals.known = outside

    def visit_all(self, parts: Iterable[Expr]) -> None:
        """Visit some expressions."""
        for part in parts:
            self.visit(part)


def _limit(condition: Expr) -> tuple[Var, Bounds] | None:
    """Return the variable that a condition compares with a number, and its interval; None for other conditions."""
    if isinstance(condition, (LE, LT, GE, GT)):
        is_less = isinstance(condition, (LE, LT))
        low, high = (condition.a, condition.b) if is_less else (condition.b, condition.a)
        step = int(isinstance(condition, (LT, GT)))
        if isinstance(low, Var) and isinstance(high, IntImm):
            return low, Bounds(None, high.value - step)
        if isinstance(high, Var) and isinstance(low, IntImm):
            return high, Bounds(low.value + step, None)
    return None
