"""Anything: the data-parallel loops of each block over blocks and threads, reductions in a thread."""

from __future__ import annotations

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, bind_elements, inline_all, most_threads
from tvmscript.ir.schedule.default.gpu.parallel_loops import launch_nests
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc


class Fallback(GPURule):
    """Bind the fused data-parallel loops of each block to blockIdx.x and threadIdx.x.

    Loops around blocks that no primitive binds, such as those of one that changes an array in place, are launched by
    `ParallelLoops`.

    rewrite:
        for i, j, k in T.grid(...): C[i, j] += ...  -->  one element a thread, k in order
    """

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the scheduled function, None for one that a schedule has touched."""
        if "gpu" not in target.keys or not is_unscheduled(func):
            return None
        return super().apply(func, target, tunable) or launch_nests(func, target)

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        threads = most_threads(target)
        for block in inline_all(sch, root):
            if not bind_elements(sch, block, threads):
                return None
        return "one element a thread"
