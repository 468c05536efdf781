"""What default schedules for GPUs share: producers are inlined, threads are counted, axes are told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from tvmscript.ir.analysis.blocks.reducers import NoReduction, reduction_of
from tvmscript.ir.analysis.memory.required_allocation import ON_CHIP
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.core import BaseFunc, IRModule, Target, nodes
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule, log
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BlockRealize, IntImm, IterKind, PrimFunc, Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.blocks.compact_buffer_allocation import CompactBufferAllocation
from tvmscript.ir.transform.blocks.convert_blocks_to_opaque import ConvertBlocksToOpaque
from tvmscript.ir.transform.blocks.lower_init_block import LowerInitBlock
from tvmscript.ir.transform.blocks.plan_and_update_buffer_allocation_location import (
    PlanAndUpdateBufferAllocationLocation,
)

#: steps up to which loops in a thread are unrolled, as TVM's rules say
UNROLL_STEPS: Final = 256
_COMPACTION: Final[tuple[PrimFuncPass, ...]] = (
    LowerInitBlock(),
    PlanAndUpdateBufferAllocationLocation(),
    ConvertBlocksToOpaque(),
    CompactBufferAllocation(is_constant_on_chip=True),
)


class Choice(NamedTuple):
    """The form of a function that a rule schedules, its number among `GPURule.forms`, and the schedule."""

    number: int
    form: PrimFunc
    schedule: Schedule


class GPURule(ScheduleRule):
    """Schedule a function that no schedule has touched, if the target is a GPU and the rule fits all of it."""

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the scheduled function, None if the rule is not for it."""
        choice = self.choose(func, target)
        return None if choice is None else choice.schedule

    def choose(self, func: PrimFunc, target: Target) -> Choice | None:
        """Return the first form that the rule schedules, None if the rule is not for the function."""
        if "gpu" not in target.keys or not is_unscheduled(func) or not isinstance(func.body, BlockRealize):
            return None
        name = func.body.block.name_hint
        for number, form in enumerate(self.forms(func, target)):
            sch = Schedule(IRModule({"main": form}))
            try:
                choice = self.schedule(sch, sch.get_block(name), target)
            except (ScheduleError, NotInvertible) as error:
                log.debug("%s refuses it: %s", type(self).__name__, error.text)
                continue
            if choice is None:
                continue
            if not _has_constant_sizes(sch.mod["main"]):
                log.debug("%s needs memory of unknown size on the chip", type(self).__name__)
                continue
            log.debug("%s: %s", type(self).__name__, choice)
            return Choice(number, form, sch)
        return None

    def forms(self, func: PrimFunc, target: Target) -> Iterator[PrimFunc]:
        """Yield the unscheduled function in the forms that the rule schedules, the best one first."""
        yield func

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        """Schedule all blocks of the root; return what was chosen, None if the rule is not for them.

        Raises `ScheduleError` where a step is refused: the function is left as it was.
        """
        raise NotImplementedError


def _has_constant_sizes(func: BaseFunc) -> bool:
    """Return whether memory on the chip has constant sizes after it is compacted."""
    if not isinstance(func, PrimFunc) or not _has_unknown_size(func):
        return True
    for step in _COMPACTION:
        func = step.transform(func)
    return not _has_unknown_size(func)


def _has_unknown_size(func: PrimFunc) -> bool:
    return any(
        not isinstance(extent, IntImm)
        for node in nodes(func)
        if isinstance(node, Block)
        for buffer in node.alloc_buffers
        if buffer.storage_scope.startswith(ON_CHIP)
        for extent in buffer.shape
    )


@dataclass(frozen=True)
class Axes:
    """Axes of a block with their loops, in order."""

    spatial: tuple[LoopRV, ...]
    reduced: tuple[LoopRV, ...]
    spatial_vars: tuple[Var, ...]
    reduced_vars: tuple[Var, ...]


def most_threads(target: Target) -> int:
    """Return how many threads a block may have."""
    return int(target.options.get("max_num_threads") or 256)


def inline_all(sch: Schedule, root: BlockRV) -> list[BlockRV]:
    """Inline injective blocks into their consumers, then into their producers; return the blocks that are left."""
    for inline in (sch.compute_inline, sch.reverse_compute_inline):
        for block in sch.get_child_blocks(root):
            try:
                inline(block)
            except ScheduleError:
                continue
    return list(sch.get_child_blocks(root))


def axes_of(sch: Schedule, block: BlockRV) -> Axes | None:
    """Return the axes of a block that are data parallel or reduced, None where there are others.

    A block without loops has none: its axes, of one iteration, are constants.
    """
    stmt, loops = sch.get(block), sch.get_loops(block)
    if not loops and is_injective(stmt):
        return Axes((), (), (), ())
    if len(loops) != len(stmt.iter_vars):
        return None
    spatial = [(loop, axis.var) for loop, axis in zip(loops, stmt.iter_vars, strict=True) if is_spatial(axis.iter_type)]
    reduced = [
        (loop, axis.var)
        for loop, axis in zip(loops, stmt.iter_vars, strict=True)
        if axis.iter_type is IterKind.COMM_REDUCE
    ]
    if len(spatial) + len(reduced) != len(loops):
        return None
    first, second = zip(*spatial, strict=True) if spatial else ((), ())
    third, fourth = zip(*reduced, strict=True) if reduced else ((), ())
    return Axes(tuple(first), tuple(third), tuple(second), tuple(fourth))


def is_spatial(kind: IterKind) -> bool:
    """Whether an axis is data parallel."""
    return kind is IterKind.DATA_PAR


def is_reduction(stmt: Block) -> bool:
    """Whether a block reduces."""
    return stmt.init is not None and any(axis.iter_type is IterKind.COMM_REDUCE for axis in stmt.iter_vars)


def reduces_over_threads(stmt: Block) -> bool:
    """Whether threads can reduce together what a block reduces: its reducer is a known one."""
    try:
        reduction_of(stmt)
    except NoReduction:
        return False
    return True


def is_injective(stmt: Block) -> bool:
    """Whether all axes of a block are data parallel."""
    return stmt.init is None and all(is_spatial(axis.iter_type) for axis in stmt.iter_vars)


def extent_of(sch: Schedule, loop: LoopRV) -> int | None:
    """Return the extent of a loop, None where it is no constant."""
    extent = sch.get(loop).extent
    return extent.value if isinstance(extent, IntImm) else None


def fuse_all(sch: Schedule, loops: Sequence[LoopRV], inner: LoopRV | BlockRV) -> LoopRV:
    """Return one loop of several; where there is none, a loop of one iteration around what is inside of them."""
    if not loops:
        return sch.add_unit_loop(inner)
    return sch.fuse(*loops) if len(loops) > 1 else loops[0]


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


def power_of_two_up_to(number: int | None, most: int) -> int:
    """Return the largest power of two that is at most a number and a limit; the limit for an unknown number."""
    if number is None:
        return most
    return min(1 << max(number, 1).bit_length() - 1, most)


def unroll(sch: Schedule, loop: LoopRV, steps: int = UNROLL_STEPS) -> None:
    """Ask for unrolled loops in a loop; the text keeps them, and the device's compiler unrolls them."""
    sch.annotate(loop, "pragma_auto_unroll_max_step", steps)
    sch.annotate(loop, "pragma_unroll_explicit", 0)
