"""Blocks whose element depends on elements in the same place: each thread loads and stores 16 bytes at once."""

from __future__ import annotations

from math import prod
from typing import Final

from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, extent_of, inline_all, is_injective
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore

_THREADS: Final = 256
_VECTOR_BYTES: Final = 16


class Elementwise(GPURule):
    """Vectorize a single injective block over contiguous arrays.

    rewrite:
        for i, j in T.grid(1024, 1024): B[i, j] = A[i, j] + 1  -->  256 threads a block, 4 float32 a thread
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        if len(blocks) != 1 or not is_injective(sch.get(blocks[0])):
            return None
        (block,) = blocks
        loops = sch.get_loops(block)
        extents = [extent_of(sch, loop) for loop in loops]
        lanes = _lanes(sch.get(block))
        sizes = [extent for extent in extents if extent is not None]
        if lanes < 2 or len(sizes) != len(loops) or not sizes or prod(sizes) % lanes:
            return None
        fused = sch.fuse(*loops) if len(loops) > 1 else loops[0]
        threads = min(_THREADS, prod(sizes) // lanes)
        grid, thread, lane = sch.split(fused, [None, threads, lanes])
        sch.bind(grid, "blockIdx.x")
        sch.bind(thread, "threadIdx.x")
        sch.vectorize(lane)
        return f"vectors of {lanes}"


def _lanes(stmt: Block) -> int:
    """Return how many elements a thread takes at once: 1 where an access is not contiguous."""
    axes = [axis.var for axis in stmt.iter_vars]
    widest = 1
    for node in nodes(stmt.body):
        if not isinstance(node, (BufferLoad, BufferStore)):
            continue
        if [*node.indices] != axes or node.buffer.strides:
            return 1
        widest = max(widest, node.buffer.dtype.element.itemsize)
    return _VECTOR_BYTES // widest
