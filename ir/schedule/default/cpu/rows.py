"""Default schedule of reductions with what is computed from them: softmax, norms, and the like.

All stages of a row run one after the other while the row is in a cache. Where rows are not contiguous, some columns
that are next to each other take the place of a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from tvmscript.ir.core import nodes
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.injective import PARTITION, size_of
from tvmscript.ir.schedule.default.cpu.inlining import is_injective
from tvmscript.ir.schedule.default.cpu.steps import is_plain
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Expr, IntImm, IterKind, Var, uses

#: columns that take the place of a row: as many as leave the part in the second cache, from and to these
_COLUMNS: Final = (64, 512)
#: terms up to which the results of some columns stay in registers
_SHORT: Final = 8


def schedule_rows(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule an injective block, which no other one that is not scheduled consumes, with those it is computed from.

    At least one of these is a reduction. Returns what was chosen, None if the rule is not for the block. Raises
    `ScheduleError`.
    """
    stmt = sch.get(block)
    consumers = [each for each in sch.get_consumers(block) if is_plain(sch, each)]
    if not is_injective(stmt) or any(is_injective(sch.get(consumer)) for consumer in consumers):
        return None
    stages = find_stages(sch, block)
    rows = _row_axes(stmt, [sch.get(stage) for stage in stages])
    if not rows or not any(_is_reduction(sch.get(stage)) for stage in stages):
        return None
    store = stmt.body
    assert isinstance(store, BufferStore)
    axes: list[Expr] = [axis.var for axis in stmt.iter_vars]
    loops = sch.get_loops(block)
    outer = [loops[axes.index(axis)] for axis in rows]
    inner = [loop for loop in loops if loop not in outer]
    last = store.indices[-1]
    if last not in axes or not inner:
        return None
    place = f"{len(outer)} loops"
    if last in rows:
        # sizes that are not known are taken for some thousands
        row_bytes = min(prod(size_of(sch, loop) for loop in inner), 1 << 12) * store.buffer.dtype.itemsize
        fitting = 1 << max(model.l2_bytes // row_bytes, 1).bit_length() - 1
        lanes = min(max(fitting, _COLUMNS[0]), _COLUMNS[1])
        loop, *others = _column_loops(sch, store, dict(zip(rows, outer, strict=True)), lanes)
        width = max(lanes // prod(size_of(sch, other) for other in others), 1)
        # equal parts need no code for the rest
        columns, lane = sch.split(loop, [None, _equal_part(size_of(sch, loop), width) if others else width])
        outer = [*[row_loop for row_loop in outer if row_loop not in (loop, *others)], columns]
        inner = [*inner, lane, *others]
        sch.annotate(columns, PARTITION, 1)
        place = f"{lanes} columns of {len(others) + 1} loops"
    sch.reorder(*outer, *inner)
    for stage in stages:
        sch.compute_at(stage, outer[-1])
    sch.parallel(outer[0])
    if last in rows:
        for stage in stages:
            _vectorize_across(sch, stage, len(outer))
    return f"with {len(stages)} stages in {place}"


def _column_loops(sch: Schedule, store: BufferStore, rows: dict[Var, LoopRV], columns: int) -> list[LoopRV]:
    """Return the loops over the innermost dimensions of a result that have some columns together."""
    loops: list[LoopRV] = []
    for index in reversed(store.indices):
        if not isinstance(index, Var) or index not in rows or 2 * prod(size_of(sch, loop) for loop in loops) > columns:
            break
        loops.insert(0, rows[index])
    return loops


def _equal_part(size: int, most: int) -> int:
    """Return the largest divisor of a size up to a number, the number itself where that is much larger."""
    most = min(most, size)
    largest = next(part for part in range(most, 0, -1) if size % part == 0)
    return largest if 4 * largest >= most else most


def _vectorize_across(sch: Schedule, stage: BlockRV, outer: int) -> None:
    """Reduce all columns at the same time: their loop is the innermost one."""
    if not _is_reduction(sch.get(stage)):
        return
    realize = realize_of(sch.block(stage))
    reduced: set[Expr] = set()
    for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True):
        if axis.iter_type is IterKind.COMM_REDUCE:
            reduced |= uses(value)
    inner = sch.get_loops(stage)[outer:]
    first = [loop for loop in inner if sch.get(loop).loop_var in reduced]
    if first:  # loops of one iteration are omitted
        others = [loop for loop in inner if loop not in first]
        terms, columns = (prod(size_of(sch, loop) for loop in loops) for loops in (first, others))
        is_short = terms <= _SHORT and columns >= _COLUMNS[0]
        sch.reorder(*(others + first if is_short else first + others))
        sch.decompose_reduction(stage, first[0])


def find_stages(sch: Schedule, block: BlockRV) -> list[BlockRV]:
    """Return the plain blocks that only a block and these blocks are computed from, the last ones first."""
    stages: list[BlockRV] = []
    stage_names = {sch.get(block).name_hint}
    pending = [block]
    while pending:
        for producer in sch.get_producers(pending.pop())[::-1]:
            stmt = sch.get(producer)
            if stmt.name_hint in stage_names:
                continue
            consumers = {sch.get(consumer).name_hint for consumer in sch.get_consumers(producer)}
            if consumers <= stage_names and is_plain(sch, producer):
                stage_names.add(stmt.name_hint)
                stages.append(producer)
                pending.append(producer)
    return stages


def _is_reduction(block: Block) -> bool:
    return block.init is not None and any(axis.iter_type is IterKind.COMM_REDUCE for axis in block.iter_vars)


def _row_axes(block: Block, stages: list[Block]) -> list[Var]:
    """Return the axes along which a block reads all results of the stages that have fewer dimensions than it has."""
    buffers = {region.buffer for stage in stages for region in stage.writes}
    axes = [axis.var for axis in block.iter_vars]
    rows: set[Expr] = set()
    for load in _loads(block):
        if load.buffer in buffers and len(load.indices) < len(axes):
            rows |= {index for index in load.indices if not isinstance(index, IntImm)}
    return [axis for axis in axes if axis in rows] if rows <= {*axes} else []


def _loads(block: Block) -> Iterator[BufferLoad]:
    return (part for part in nodes(block.body) if isinstance(part, BufferLoad))
