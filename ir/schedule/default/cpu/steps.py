"""Steps that the schedules of several rules have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Final

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import nodes, structural_equal
from tvmscript.ir.schedule.analysis.block_scope import is_before
from tvmscript.ir.schedule.default.cpu.inlining import cost_of, is_conditional, is_injective
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.schedule.errors import UnknownRandomVariable
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import loops_above, realize_of, scope_root
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Call, Expr, IntImm, Var, uses

#: the annotation of loops whose edges get code of their own
PARTITION: Final = "pragma_loop_partition_hint"
#: cost of an epilogue up to which it is unrolled for all vectors of a tile
_MOST_COST: Final = 16


def is_plain(sch: Schedule, block: BlockRV) -> bool:
    """Whether no rule has scheduled, moved or removed a block, and it runs at all."""
    try:
        ref = sch.block(block)
    except UnknownRandomVariable:
        return False
    loops = loops_above(ref)
    if any(is_const(item.loop.extent, 0) for item in loops):
        return False
    realize = realize_of(ref)
    return bool(loops or not realize.iter_values) and is_plain_nest(loops[0].loop if loops else realize)


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


class Order(Enum):
    """Which dimensions of what an epilogue writes are where they are in what it reads."""

    ALL = auto()
    INNERMOST = auto()
    ANY = auto()


def find_epilogue(sch: Schedule, block: BlockRV, order: Order = Order.ALL) -> BlockRV | None:
    """Return the only consumer of a plain block if it computes an element of its own from each element.

    Its axes are the dimensions of what it reads. What it reads besides are arguments, or complete when the block
    begins.
    """
    consumers, root = sch.get_consumers(block), scope_root(sch.block(block))
    (written,) = sch.get(block).writes
    buffer = written.buffer
    if len(consumers) != 1 or root is None or buffer not in root.block.alloc_buffers:
        return None
    stmt = sch.get(consumers[0])
    others = [sch.block(producer) for producer in sch.get_producers(consumers[0])]
    ref = sch.block(block)
    if not is_injective(stmt) or any(other is not ref and not is_before(other, ref) for other in others):
        return None
    loads = [part for part in nodes(stmt.body) if isinstance(part, BufferLoad) and part.buffer is buffer]
    extents = [axis.dom.extent for axis in stmt.iter_vars if axis.dom is not None]
    target = [part.min for part in stmt.writes[0].region]
    is_same_shape = len(extents) == len(buffer.shape) and all(map(structural_equal, extents, buffer.shape))
    is_in_order = {
        Order.ALL: _is_identity(target, stmt),
        Order.INNERMOST: target[-1] is stmt.iter_vars[-1].var,
        Order.ANY: True,
    }[order]
    if not is_same_shape or not is_in_order or not all(_is_identity(load.indices, stmt) for load in loads):
        return None
    return consumers[0]


def _is_identity(indices: Sequence[Expr], block: Block) -> bool:
    """Whether indices are the axes of a block in order, or 0 where an axis has one element."""
    return len(indices) == len(block.iter_vars) and all(
        index is axis.var or (is_const(index, 0) and axis.dom is not None and is_const(axis.dom.extent, 1))
        for index, axis in zip(indices, block.iter_vars, strict=True)
    )


def stage_output(
    sch: Schedule, block: BlockRV, copy: BlockRV | None, epilogue: BlockRV | None, *, is_direct: bool
) -> list[BlockRV]:
    """Keep what a block computes in local memory; return the blocks that store it from there.

    `copy` copies back what was padded. An epilogue reads the local memory where `is_direct`, otherwise a copy.
    """
    if epilogue is not None and is_direct and _is_cheap(sch.get(epilogue)):
        if copy is not None:
            sch.compute_inline(copy)
        outputs = [epilogue]
    else:
        outputs = [copy or sch.cache_write(block, 0, "global"), *([] if epilogue is None else [epilogue])]
    sch.set_scope(block, 0, "local")
    return outputs


def _is_cheap(block: Block) -> bool:
    """Whether a block costs little enough to be repeated for each vector of a tile."""
    return isinstance(block.body, BufferStore) and cost_of(block.body.value) <= _MOST_COST


def vectorize_innermost(sch: Schedule, block: BlockRV, lanes: int) -> None:
    """Vectorize the innermost loop around a block, or a part of as many iterations as there are lanes."""
    *_, last = sch.get_loops(block)
    if extent_of(sch, last) > lanes:
        _, last = sch.split(last, [None, lanes])
    sch.vectorize(last)


def vectorize_copy(sch: Schedule, block: BlockRV, lanes: int) -> None:
    """Vectorize the innermost loop around a block that copies a buffer.

    Where it pads with conditions, the edges get code of their own, and the backend vectorizes the rest of the loop.
    """
    *_, last = sch.get_loops(block)
    if extent_of(sch, last) > 2 * lanes and _pads_along(sch, block, last):
        sch.annotate(last, PARTITION, 1)
    else:
        vectorize_innermost(sch, block, lanes)


def _pads_along(sch: Schedule, block: BlockRV, loop: LoopRV) -> bool:
    """Whether a block computes something else in some iterations of a loop."""
    realize, var = realize_of(sch.block(block)), sch.get(loop).loop_var
    pairs = zip(realize.block.iter_vars, realize.iter_values, strict=True)
    axes = {axis.var for axis, value in pairs if var in uses(value)}
    return any(
        isinstance(part, Call) and is_conditional(part) and axes & uses(part.args[0]) for part in nodes(realize.block)
    )


def schedule_copy(sch: Schedule, block: BlockRV, lanes: int) -> None:
    """Vectorize and parallelize a block that copies a buffer."""
    outer = sch.get_loops(block)[:-1]
    vectorize_copy(sch, block, lanes)
    if outer:
        sch.parallel(sch.fuse(*outer))
