"""Estimate what an iteration of a loop costs, to decide whether threads pay."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import CallEffect, Visitor, on
from tvmscript.ir.tir import BufferLoad, BufferStore, For, Stmt, Var, While, effect_of
from tvmscript.ir.tir.expr import BinaryOp, Call

#: trip count of a loop whose extent is not a constant
_UNKNOWN_EXTENT: Final = 16
#: operations of a call without effects, such as exp
_CALL: Final = 16
#: operations of what may take any time: a call with effects, `while`
_UNBOUNDED: Final = 1 << 40


class _Operations(Visitor):
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

    @on(BufferStore, BufferLoad, BinaryOp)
    def operation(self, node: BufferStore | BufferLoad | BinaryOp) -> None:
        lanes = 1 if isinstance(node, BufferStore) else node.dtype.lanes
        self.total += self.times * lanes
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        self.total += self.times * (_CALL if effect_of(node) <= CallEffect.PURE else _UNBOUNDED)
        self.walk(node)

    @on(While)
    def repeat(self, node: While) -> None:
        self.total += _UNBOUNDED


def operations_of(stmt: Stmt) -> int:
    """Return the scalar operations of a statement, about: all branches, 16 for unknown trip counts and for calls."""
    counter = _Operations()
    counter.visit(stmt)
    return counter.total
