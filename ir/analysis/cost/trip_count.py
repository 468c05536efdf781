"""Estimate trip counts."""

from __future__ import annotations

from typing import ClassVar

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import BufferStore, Evaluate, For, PrimFunc, Stmt, Var


class TripCounter(Visitor):
    """Base of estimates: how often the node runs that is visited, and a total that subclasses add to."""

    #: what an extent counts as that is known only when the program runs
    unknown_extent: ClassVar[int] = 16

    def __init__(self) -> None:
        self.times = 1
        self.total = 0
        self.sizes: dict[Var, int] = {}

    @on(For)
    def loop(self, node: For) -> None:
        """Visit the body of a loop, which runs as often as its extent says."""
        before, extent = self.times, evaluate_size(node.extent, self.sizes)
        self.times *= self.unknown_extent if extent is None else max(extent, 0)
        self.visit(node.body)
        self.times = before

    def total_of(self, stmt: Stmt) -> int:
        """Visit a statement and return the total."""
        self.visit(stmt)
        return self.total


class _Iterations(TripCounter):
    @on(BufferStore, Evaluate)
    def leaf(self, node: BufferStore | Evaluate) -> None:
        self.total += self.times


def iterations_of(func: PrimFunc) -> int:
    """Return the executed stores and calls of a function, counting all branches; unknown extents count as 16."""
    return _Iterations().total_of(func.body)
