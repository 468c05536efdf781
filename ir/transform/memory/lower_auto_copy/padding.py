"""Padding of rows of shared memory against bank conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, IntImm, Stmt, Var, uses
from tvmscript.ir.tir.stmt import Block, BufferStore, For, ForKind, MatchBufferRegion
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import is_shared

_WARP: Final = 32
#: bits that the banks deliver at once
_TURN_BITS: Final = 32 * 32
#: rows are padded by at most 1/4 of their length
_MOST: Final = 4

#: indices that the threads of a warp access at once
Points = list[tuple[int, ...]]


class SharedAccesses(Visitor):
    """Collect the accesses of shared memory by the threads of a warp."""

    def __init__(self) -> None:
        self.points: dict[Buffer, list[Points]] = {}
        #: buffer -> divisor of its row stride
        self.alignment: dict[Buffer, int] = {}
        self.lanes: dict[Var, int] = {}
        self.vector: Var | None = None
        self.length = 1
        self.threads: Mapping[str, int] = {}

    def collect(self, stmt: Stmt, threads: Mapping[str, int]) -> None:
        """Collect the accesses of a lowered copy."""
        self.threads = threads
        self.visit(stmt)

    def align(self, buffer: Buffer, by: int) -> None:
        """Require row strides to be multiples of at least this number."""
        self.alignment[buffer] = max(by, self.alignment.get(buffer, 1))

    @on(For)
    def loop(self, node: For) -> None:
        binding = node.thread_binding
        if node.kind is ForKind.THREAD_BINDING and binding is not None:
            self.lanes[node.loop_var] = "xyz".find(binding.thread_tag[-1])
        elif node.kind is ForKind.VECTORIZED:
            outer = self.vector, self.length
            self.vector, self.length = node.loop_var, node.extent.value if isinstance(node.extent, IntImm) else 1
            self.visit(node.body)
            self.vector, self.length = outer
            return
        self.visit(node.body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.visit(node.value)
        self.access(node.buffer, node.indices)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.access(node.buffer, node.indices)

    @on(Block)
    def block(self, node: Block) -> None:
        """Collect tiles: a warp accesses all of their rows."""
        for match in node.match_buffers:
            self.tile(match)

    def tile(self, match: MatchBufferRegion) -> None:
        buffer, region = match.source.buffer, match.source.region
        if is_shared(buffer.storage_scope):
            sizes = [part.extent.value if isinstance(part.extent, IntImm) else 1 for part in region]
            rows = [(*(0 for _ in sizes[:-2]), row, 0) for row in range(sizes[-2])]
            self.points.setdefault(buffer, []).append(rows)

    def access(self, buffer: Buffer, indices: tuple[Expr, ...]) -> None:
        if not is_shared(buffer.storage_scope) or not indices:
            return
        points: Points = []
        for lane in range(_WARP):
            values = self.values(lane, indices)
            position = [evaluate_size(index, values) for index in indices]
            if any(index is None for index in position):
                return
            points.append(tuple([index or 0 for index in position]))
        self.points.setdefault(buffer, []).append(points)
        if self.vector is not None:
            here, there = (
                evaluate_size(indices[-1], {**self.values(0, indices), self.vector: step}) for step in (0, 1)
            )
            if here is not None and there is not None and there - here == 1:
                self.align(buffer, self.length)

    def values(self, lane: int, indices: Iterable[Expr]) -> dict[Var, int]:
        """Return the values of variables in a thread of the first warp, in the first iteration of all loops."""
        sizes = [self.threads.get(f"threadIdx.{axis}", 1) for axis in "xyz"]
        threads = [lane % sizes[0], lane // sizes[0] % sizes[1], lane // (sizes[0] * sizes[1]) % sizes[2]]
        used: set[object] = set()
        for index in indices:
            used |= uses(index)
        return {var: threads[self.lanes[var]] if var in self.lanes else 0 for var in used if isinstance(var, Var)}

    def pad(self, buffer: Buffer) -> Buffer:
        """Return the buffer with the strides that have the fewest bank conflicts; itself if no copy accesses it."""
        accesses = self.points.get(buffer)
        shape = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
        if not accesses or len(shape) != len(buffer.shape):
            return buffer
        banks = _TURN_BITS // buffer.dtype.bits
        strides = [1]
        for axis in reversed(range(len(shape) - 1)):
            dense = strides[0] * shape[axis + 1]
            choices = range(0, min(dense // _MOST, banks) + 1, self.alignment.get(buffer, 1))
            conflicts = {pad: _max_conflicts(accesses, axis, dense + pad, banks) for pad in choices}
            strides.insert(0, dense + min(choices, key=conflicts.__getitem__))
        dtype = buffer.shape[0].dtype
        return buffer.replace(strides=tuple([IntImm(dtype, stride) for stride in strides]))


def _max_conflicts(accesses: list[Points], axis: int, stride: int, banks: int) -> int:
    """Return the maximal number of simultaneous accesses of a bank, considering one axis and the last one."""
    worst = 0
    for points in accesses:
        counts: dict[int, int] = {}
        for point in points:
            bank = (point[-1] + point[axis] * stride) % banks
            counts[bank] = counts.get(bank, 0) + 1
        worst = max(worst, *counts.values())
    return worst
