"""How far apart rows of shared memory lie, so that threads of a warp meet different banks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tvmscript.ir.analysis.evaluate_size import evaluate_size
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm
from tvmscript.ir.tir.stmt import Block, BufferStore, For, ForKind, MatchBufferRegion
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import is_shared

_WARP: Final = 32
#: bits that banks give in one turn
_TURN_BITS: Final = 32 * 32
#: Rows are made longer by no more than this part.
_MOST: Final = 4

#: Where each thread of a warp is in a buffer at once.
Points = list[tuple[int, ...]]


class Accesses(Visitor):
    """How the threads of a warp access shared memory in copies."""

    def __init__(self) -> None:
        self.points: dict[Buffer, list[Points]] = {}
        #: row strides are multiples of it
        self.alignment: dict[Buffer, int] = {}
        self.lanes: dict[Var, int] = {}
        self.vector: Var | None = None
        self.length = 1
        self.threads: Mapping[str, int] = {}

    def look(self, stmt: Stmt, threads: Mapping[str, int]) -> None:
        """Look at a copy in its new form."""
        self.threads = threads
        self.visit(stmt)

    def align(self, buffer: Buffer, by: int) -> None:
        """Let row strides be multiples of this number, or of a greater one."""
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
        """Tiles: a warp is in each of their rows."""
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
            place = [evaluate_size(index, values) for index in indices]
            if any(index is None for index in place):
                return
            points.append(tuple([index or 0 for index in place]))
        self.points.setdefault(buffer, []).append(points)
        if self.vector is not None:
            here, there = (
                evaluate_size(indices[-1], {**self.values(0, indices), self.vector: step}) for step in (0, 1)
            )
            if here is not None and there is not None and there - here == 1:
                self.align(buffer, self.length)

    def values(self, lane: int, indices: Iterable[Expr]) -> dict[Var, int]:
        """What variables are in a thread of the first warp, in the first iterations of all loops."""
        sizes = [self.threads.get(f"threadIdx.{axis}", 1) for axis in "xyz"]
        threads = [lane % sizes[0], lane // sizes[0] % sizes[1], lane // (sizes[0] * sizes[1]) % sizes[2]]
        used: set[Any] = set()
        for index in indices:
            used |= uses(index)
        return {var: threads[self.lanes[var]] if var in self.lanes else 0 for var in used if isinstance(var, Var)}

    def padded(self, buffer: Buffer) -> Buffer:
        """The buffer with strides by which accesses have the fewest conflicts; itself if no copy accesses it."""
        accesses = self.points.get(buffer)
        shape = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
        if not accesses or len(shape) != len(buffer.shape):
            return buffer
        banks = _TURN_BITS // buffer.dtype.bits
        strides = [1]
        for axis in reversed(range(len(shape) - 1)):
            dense = strides[0] * shape[axis + 1]
            choices = range(0, min(dense // _MOST, banks) + 1, self.alignment.get(buffer, 1))
            conflicts = {pad: _conflicts(accesses, axis, dense + pad, banks) for pad in choices}
            strides.insert(0, dense + min(choices, key=conflicts.__getitem__))
        dtype = buffer.shape[0].dtype
        return buffer.replace(strides=tuple([IntImm(dtype, stride) for stride in strides]))


def _conflicts(accesses: list[Points], axis: int, stride: int, banks: int) -> int:
    """How often the busiest bank is asked at once, over all accesses; an axis is seen with the last one alone."""
    worst = 0
    for points in accesses:
        asked: dict[int, int] = {}
        for point in points:
            bank = (point[-1] + point[axis] * stride) % banks
            asked[bank] = asked.get(bank, 0) + 1
        worst = max(worst, *asked.values())
    return worst
