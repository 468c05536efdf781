"""Steps that the schedules of several rules have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Buffer, Expr, IntImm, Var

#: the annotation of loops whose edges get code of their own
PARTITION: Final = "pragma_loop_partition_hint"


def extent_of(sch: Schedule, loop: LoopRV) -> int:
    """Return the extent of a loop, 0 if it is not constant."""
    extent = sch.get(loop).extent
    return extent.value if isinstance(extent, IntImm) else 0


def axis_loops(sch: Schedule, block: BlockRV, axes: Iterable[Var]) -> dict[Var, LoopRV]:
    """Return the loops of the axes of a plain block; axes are known by name, as steps replace them."""
    loops: dict[Expr, LoopRV] = {sch.get(loop).loop_var: loop for loop in sch.get_loops(block)}
    realize = realize_of(sch.block(block))
    bound = {axis.var.name: value for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True)}
    return {axis: loops[bound[axis.name]] for axis in axes}


def read_index(sch: Schedule, block: BlockRV, buffer: Buffer) -> int:
    """Return the place of a buffer among those that a block reads."""
    return [region.buffer for region in sch.get(block).reads].index(buffer)


def own_loops(sch: Schedule, block: BlockRV, other: BlockRV) -> list[LoopRV]:
    """Return the loops around a block that are not around another one."""
    shared = [sch.get(loop) for loop in sch.get_loops(other)]
    return [loop for loop in sch.get_loops(block) if sch.get(loop) not in shared]


def pad_block(sch: Schedule, block: BlockRV, sizes: Mapping[Var, int]) -> tuple[dict[Buffer, BlockRV], BlockRV | None]:
    """Pad axes to multiples; return the blocks that copy inputs, by what they read, and the one that copies back."""
    before = [[sch.get(each) for each in find(block)] for find in (sch.get_producers, sch.get_consumers)]
    sch.pad_einsum(block, [sizes.get(axis.var, 1) for axis in sch.get(block).iter_vars])
    producers, consumers = (
        [each for each in find(block) if sch.get(each) not in known]
        for find, known in zip((sch.get_producers, sch.get_consumers), before, strict=True)
    )
    return {sch.get(each).reads[0].buffer: each for each in producers}, next(iter(consumers), None)


def vectorize_innermost(sch: Schedule, block: BlockRV, lanes: int) -> None:
    """Vectorize the innermost loop around a block, or a part of as many iterations as there are lanes."""
    *_, last = sch.get_loops(block)
    if extent_of(sch, last) > lanes:
        _, last = sch.split(last, [None, lanes])
    sch.vectorize(last)


def schedule_copy(sch: Schedule, block: BlockRV, lanes: int) -> None:
    """Vectorize and parallelize a block that copies a buffer."""
    outer = sch.get_loops(block)[:-1]
    vectorize_innermost(sch, block, lanes)
    if outer:
        sch.parallel(sch.fuse(*outer))
