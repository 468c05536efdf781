"""Count arithmetic operations and bytes of a function for given sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.analysis.cost.trip_count import TripCounter
from tvmscript.ir.core import on
from tvmscript.ir.tir import Block, BufferStore, For, IfThenElse, PrimFunc
from tvmscript.ir.tir.expr import BinaryOp, BufferLoad, Call, CompareOp, LogicalOp, Var


@dataclass(frozen=True)
class Work:
    """Arithmetic operations (a multiplication and an addition are two) and bytes of the arguments."""

    operations: int
    bytes: int


class _Operations(TripCounter):
    unknown_extent = 1

    def __init__(self, sizes: Mapping[Var, int]) -> None:
        super().__init__()
        self.sizes.update(sizes)
        self.in_value = False

    @on(For)
    def loop(self, node: For) -> None:
        """Let the middle of a loop stand for all of its iterations, where extents of inner loops depend on it."""
        self.sizes[node.loop_var] = max(evaluate_size(node.extent, self.sizes) or 0, 0) // 2
        super().loop(node)

    @on(Block)
    def block(self, node: Block) -> None:
        self.visit(node.body)  # init runs once for a whole reduction and is not counted

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        self.visit(node.then_case)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.in_value = True
        self._value(node.value)
        self.in_value = False

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        """Arithmetic on indices is no work of the kernel's."""

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> None:
        if self.in_value and not isinstance(node, (CompareOp, LogicalOp)):
            self.total += self.times * node.dtype.lanes
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        if self.in_value and node.dtype.is_floating:
            self.total += self.times * node.dtype.lanes
        self.walk(node)


def work_of(func: PrimFunc, sizes: Mapping[Var, int]) -> Work:
    """Return the operations in stored values, and the bytes of the buffer parameters, each counted once."""
    operations = _Operations(sizes).total_of(func.body)
    moved = 0
    for buffer in func.buffer_map.values():
        count = buffer.dtype.itemsize * buffer.dtype.lanes
        for extent in buffer.shape:
            count *= evaluate_size(extent, sizes) or 0
        moved += count
    return Work(operations, moved)
