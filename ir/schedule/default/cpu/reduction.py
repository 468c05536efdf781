"""Default schedule of reductions: rows in lanes, columns side by side; the order of the terms stays."""

from __future__ import annotations

from math import prod
from typing import Final

from tvmscript.ir.core import nodes
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.injective import PARTITION, contiguous_groups, parallelize, size_of
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, IntImm, IterKind, Var

#: least columns that are reduced side by side, and least terms of each
_LEAST_COLUMNS: Final = 4
_LEAST_TERMS: Final = 16
#: terms that are added to a vector of columns while it is in a register, for fewer columns than that many and others
_NARROW: Final = 32
_TERMS: Final = (16, 4)
#: columns of a part of a long row, which one thread reduces
_COLUMNS: Final = 2048


def schedule_reduction(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    stmt = sch.get(block)
    kinds = [axis.iter_type for axis in stmt.iter_vars]
    if stmt.init is None or {*kinds} - {IterKind.DATA_PAR, IterKind.COMM_REDUCE} or IterKind.COMM_REDUCE not in kinds:
        return None
    if any(isinstance(part, BufferLoad) and part.indices and _is_gather(part) for part in nodes(stmt.body)):
        return None
    column = _contiguous_axis(stmt)
    loops, spatial, reduced = sch.get_loops(block), list[LoopRV](), list[LoopRV]()
    columns: LoopRV | None = None
    for group in contiguous_groups(stmt):
        for part in _of_one_kind(group, kinds):
            loop = sch.fuse(*[loops[place] for place in part]) if len(part) > 1 else loops[part[0]]
            is_spatial = kinds[part[0]] is IterKind.DATA_PAR
            (spatial if is_spatial else reduced).append(loop)
            if column in part and is_spatial:
                columns = loop
    if columns is not None and size_of(sch, columns) >= _LEAST_COLUMNS and size_of(sch, reduced[-1]) >= _LEAST_TERMS:
        return _side_by_side(sch, block, [loop for loop in spatial if loop is not columns], columns, reduced)
    sch.reorder(*spatial, *reduced)
    work = prod(size_of(sch, loop) for loop in (*spatial, *reduced))
    choice = _in_parallel(sch, spatial, work)
    if len(reduced) < kinds.count(IterKind.COMM_REDUCE):
        # the first iteration of fused loops is not found by their quotients
        sch.decompose_reduction(block, reduced[0])
    return f"{len(reduced)} loops of terms, {choice}"


def _in_parallel(sch: Schedule, spatial: list[LoopRV], work: int) -> str:
    """Run elements in parallel where that pays."""
    if not spatial:
        return "one element"
    terms = work // max(prod(size_of(sch, loop) for loop in spatial), 1)
    return parallelize(sch, spatial, terms)


def _side_by_side(sch: Schedule, block: BlockRV, outer: list[LoopRV], columns: LoopRV, reduced: list[LoopRV]) -> str:
    """Read row after row, and add some of them to all columns at once."""
    stmt, parts = sch.get(block), list[LoopRV]()
    if isinstance(sch.get(columns).extent, IntImm) and size_of(sch, columns) >= 2 * _COLUMNS:
        part, columns = sch.split(columns, [None, _COLUMNS])
        parts.append(part)
    terms: list[LoopRV] = []
    count = _TERMS[size_of(sch, columns) >= _NARROW] if isinstance(stmt.body, BufferStore) else 1
    if count > 1:
        row, term = sch.split(reduced[-1], [None, count])
        parts.append(row)
        reduced = [*reduced[:-1], row]
        terms.append(term)
    sch.reorder(*outer, *[loop for loop in parts if loop not in reduced], *reduced, columns, *terms)
    for loop in parts:
        sch.annotate(loop, PARTITION, 1)
    for loop in terms:
        sch.unroll(loop)
    first = (*outer, *[loop for loop in parts if loop not in reduced])[:1]
    for loop in first:
        sch.parallel(loop)
    sch.decompose_reduction(block, reduced[0])
    return f"{len(outer)} outer loops, columns side by side, {count} terms at once"


def _of_one_kind(group: list[int], kinds: list[IterKind]) -> list[list[int]]:
    """Divide a group of axes where their kinds differ."""
    parts = [[group[0]]]
    for place in group[1:]:
        if kinds[place] is kinds[parts[-1][-1]]:
            parts[-1].append(place)
        else:
            parts.append([place])
    return parts


def _is_gather(load: BufferLoad) -> bool:
    return any(isinstance(part, BufferLoad) for index in load.indices for part in nodes(index))


def _contiguous_axis(block: Block) -> int | None:
    """Return the axis along which elements are read one after the other."""
    axes: dict[object, int] = {axis.var: place for place, axis in enumerate(block.iter_vars)}
    written = {region.buffer for region in block.writes}
    for part in nodes(block.body):
        if isinstance(part, BufferLoad) and part.buffer not in written and part.indices:
            last = part.indices[-1]
            if isinstance(last, Var) and last in axes:
                return axes[last]
    return None
