"""Estimate trip counts."""

from __future__ import annotations

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import BufferStore, Evaluate, For, PrimFunc, Var

#: What an extent counts as that is known only when the program runs.
_UNKNOWN_EXTENT = 16


class _Iterations(Visitor):
    def __init__(self) -> None:
        self.times = 1
        self.total = 0
        self.sizes: dict[Var, int] = {}

    @on(For)
    def loop(self, node: For) -> None:
        before, extent = self.times, evaluate_size(node.extent, self.sizes)
        self.times *= _UNKNOWN_EXTENT if extent is None else max(extent, 0)
        self.visit(node.body)
        self.times = before

    @on(BufferStore, Evaluate)
    def leaf(self, node: BufferStore | Evaluate) -> None:
        self.total += self.times


def iterations_of(func: PrimFunc) -> int:
    """Return the executed stores and calls of a function, counting all branches; unknown extents count as 16."""
    counter = _Iterations()
    counter.visit(func.body)
    return counter.total
