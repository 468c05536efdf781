"""Estimate what an iteration of a loop costs, to decide whether threads pay."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.analysis.cost.trip_count import TripCounter
from tvmscript.ir.core import CallEffect, on
from tvmscript.ir.tir import BufferLoad, BufferStore, Stmt, While, effect_of
from tvmscript.ir.tir.expr import BinaryOp, Call

#: operations of a call without effects, such as exp
_CALL: Final = 16
#: operations of what may take any time: a call with effects, `while`
_UNBOUNDED: Final = 1 << 40


class _Operations(TripCounter):
    def __init__(self, enough: int) -> None:
        super().__init__()
        self.enough = enough

    @on(BufferStore, BufferLoad, BinaryOp)
    def operation(self, node: BufferStore | BufferLoad | BinaryOp) -> None:
        if self.total >= self.enough:
            return
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


def operations_of(stmt: Stmt, enough: int = _UNBOUNDED) -> int:
    """Return the scalar operations of a statement, about: all branches, 16 for unknown trip counts and for calls.

    Some are left out where there are `enough` without them.
    """
    return _Operations(enough).total_of(stmt)
