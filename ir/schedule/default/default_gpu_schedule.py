"""The pass `DefaultGPUSchedule`: bind the loops of unscheduled functions to GPU threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import BlockRealize, IntImm, IterKind, PrimFunc, uses
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.errors import NoTargetForSchedule
from tvmscript.ir.transform.function_attributes import SCHEDULED, is_scheduled

_CUDA: Final = 2
_MAX_BLOCKS: Final = 256


@dataclass(frozen=True)
class DefaultGPUSchedule(Pass):
    """Fuse the data-parallel loops of each innermost block and bind them to blockIdx.x and threadIdx.x.

    The target is the function's, otherwise the current one (`with Target(...):`); functions for other device types than
    CUDA are unchanged. A thread computes several elements if there are more than 256 thread blocks. Blocks in a bound
    loop are unchanged. All functions get the attribute `tir.is_scheduled`; functions that have it are skipped.
    Raises `NoTargetForSchedule`, and `ScheduleError` where the loops of a block cannot be fused.

    rewrite:
        for i, j in T.grid(32, 32):         for i_j_fused_0 in T.thread_binding(1, "blockIdx.x"):
            ... [i, j] ...          -->         for i_j_fused_1 in T.thread_binding(1024, "threadIdx.x"):
                                                    ... [i_j_fused_1 // 32, i_j_fused_1 % 32] ...
    """

    name: ClassVar[str] = "tir.DefaultGPUSchedule"

    def run(self, mod: IRModule) -> IRModule:
        unscheduled = {
            var.name_hint: func
            for var, func in mod.functions.items()
            if isinstance(func, PrimFunc) and not is_scheduled(func)
        }
        if not unscheduled:
            return mod
        sch = Schedule(mod)
        for name, func in unscheduled.items():
            threads = _max_threads(name, func)
            if threads is not None and isinstance(func.body, BlockRealize):
                sch.work_on(name)
                for block in _unbound_innermost_blocks(sch, sch.get_block(func.body.block.name_hint)):
                    _bind_to_threads(sch, block, threads)
        functions = {
            var: func.with_attr(SCHEDULED, TRUE)
            if isinstance(func, PrimFunc) and var.name_hint in unscheduled
            else func
            for var, func in sch.mod.functions.items()
        }
        return mod.replace(functions=functions)


def _max_threads(name: str, func: PrimFunc) -> int | None:
    """Return the maximal number of threads of a thread block; None if the target is not CUDA."""
    target = func.attrs.get("target") or Target.current()
    if not isinstance(target, Target):
        raise NoTargetForSchedule(function=name, reason="none is bound to it, and none is current", span=func.span)
    if target.device_type != _CUDA:
        return None
    threads = target.options.get("max_num_threads")
    if threads is None:
        raise NoTargetForSchedule(function=name, reason=f"{target} has no max_num_threads", span=func.span)
    return int(threads)


def _unbound_innermost_blocks(sch: Schedule, block: BlockRV) -> Iterator[BlockRV]:
    """Yield the blocks in a block that contain no blocks and are in no loop that is bound to threads."""
    for inner in sch.get_child_blocks(block):
        if any(sch.get(loop).thread_binding is not None for loop in sch.get_loops(inner)):
            continue
        if sch.get_child_blocks(inner):
            yield from _unbound_innermost_blocks(sch, inner)
        else:
            yield inner


def _bind_to_threads(sch: Schedule, block: BlockRV, threads: int) -> None:
    loops = sch.get_loops(block)
    realize = realize_of(sch.block(block))
    fixed: set[Any] = set()
    for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True):
        if axis.iter_type is not IterKind.DATA_PAR:
            fixed |= uses(value)
    parallel: list[LoopRV] = [loop for loop in loops if sch.get(loop).loop_var not in fixed]
    if not parallel:
        parallel = [sch.add_unit_loop(loops[0] if loops else block)]
    elif parallel != loops[: len(parallel)]:
        sch.reorder(*parallel, *[loop for loop in loops if loop not in parallel])
    fused = sch.fuse(*parallel, preserve_unit_iters=False)
    extent = sch.get(fused).extent
    count = extent.value if isinstance(extent, IntImm) else None
    if count is None or count > threads * _MAX_BLOCKS:
        repeated, grid, lanes = sch.split(fused, [None, _MAX_BLOCKS, threads])
        sch.reorder(grid, lanes, repeated)
    else:
        grid, lanes = sch.split(fused, [None, min(count, threads)])
    sch.bind(grid, "blockIdx.x")
    sch.bind(lanes, "threadIdx.x")
