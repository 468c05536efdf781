"""Rows with several reductions: softmax, norms. A block has a row; what the reductions give is in shared memory."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.gpu_rule import (
    GPURule,
    axes_of,
    fuse_all,
    inline_all,
    is_injective,
    is_reduction,
    most_threads,
    unroll,
)
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule

_THREADS: Final = 256


class GeneralReduction(GPURule):
    """Compute all blocks of a row in one thread block.

    rewrite:
        max of rows; sum of rows of exp; quotients  -->  for row in blockIdx.x: max, sum, quotients by 256 threads
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        if len(blocks) < 2 or not is_injective(sch.get(blocks[-1])):
            return None
        kinds = [axes_of(sch, block) for block in blocks]
        known = [axes for axes in kinds if axes is not None]
        reductions = [axes for axes in known if axes.reduced]
        if len(known) != len(kinds) or not reductions:
            return None
        leading = min(len(axes.spatial) for axes in reductions)
        if leading == 0 or any(len(axes.spatial) < leading for axes in known):
            return None
        *producers, last = blocks
        rows = fuse_all(sch, sch.get_loops(last)[:leading], last)
        sch.bind(rows, "blockIdx.x")
        for block in reversed(producers):
            for place in range(len(sch.get(block).writes)):
                sch.set_scope(block, place, "shared")
            sch.compute_at(block, rows, preserve_unit_loops=True)
        most = min(_THREADS, most_threads(target))
        for block in blocks:
            _bind_threads(sch, block, most)
        return "a row a block"


def _bind_threads(sch: Schedule, block: BlockRV, most: int) -> None:
    """Bind the terms of a reduction, or the elements of an injective block, to threads."""
    stmt = sch.get(block)
    inner = sch.get_loops(block)[1:]
    if is_reduction(stmt):
        count = sum(axis.iter_type.name == "COMM_REDUCE" for axis in stmt.iter_vars)
        inner = inner[len(inner) - count :]
    fused = fuse_all(sch, inner, block)
    steps, lane = sch.split(fused, [None, most])
    sch.bind(lane, "threadIdx.x")
    unroll(sch, steps)
