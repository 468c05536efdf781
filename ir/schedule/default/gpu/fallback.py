"""Anything: the data-parallel loops of each block over blocks and threads, reductions in a thread."""

from __future__ import annotations

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.gpu_rule import (
    GPURule,
    axes_of,
    extent_of,
    fuse_all,
    inline_all,
    most_threads,
)
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule


class Fallback(GPURule):
    """Bind the fused data-parallel loops of each block to blockIdx.x and threadIdx.x.

    rewrite:
        for i, j, k in T.grid(...): C[i, j] += ...  -->  one element a thread, k in order
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        threads = most_threads(target)
        for block in inline_all(sch, root):
            if not bind_elements(sch, block, threads):
                return None
        return "one element a thread"


def bind_elements(sch: Schedule, block: BlockRV, threads: int) -> bool:
    """Give each thread an element of a block; return whether its axes are data parallel and reduced ones.

    Raises `ScheduleError`.
    """
    axes = axes_of(sch, block)
    if axes is None:
        return False
    if axes.spatial and axes.reduced:
        sch.reorder(*axes.spatial, *axes.reduced)
    fused = fuse_all(sch, axes.spatial, axes.reduced[0] if axes.reduced else block)
    extent = extent_of(sch, fused)
    blocks, lanes = sch.split(fused, [None, threads if extent is None else min(extent, threads)])
    sch.bind(blocks, "blockIdx.x")
    sch.bind(lanes, "threadIdx.x")
    if axes.reduced:
        sch.decompose_reduction(block, axes.reduced[0])
    return True
