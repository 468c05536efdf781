"""Default schedule of blocks that compute each element by itself: chains, broadcasts, transposes and other copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from math import prod
from typing import Final

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import nodes, structural_equal
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.inlining import cost_of, is_conditional, is_injective
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Call, Expr, IntImm, Var, uses
from tvmscript.ir.tir.expr import Add, FloorMod, Mul

#: pragma of loops that lowering splits where conditions change: whole tiles need none
PARTITION: Final = "pragma_loop_partition_hint"
#: iterations of a part of loops that one thread runs, about
_PART: Final = 1 << 15
#: what sizes that are known at run time only are taken for
_UNKNOWN: Final = 1 << 20
#: iterations of a period at least that has a loop of its own
_LEAST_PERIOD: Final = 16
#: iterations of both loops of a tile, at least
_LEAST_COLUMNS: Final = 8
#: cost of the elements of copies, at most
_MOST_COST: Final = 4
#: elements of rows that take less time than a choice between what they are copied from
_SHORT_ROW: Final = 64
#: what is chosen for loops that threads do not share
_SERIAL: Final = "serial"
#: bytes of a cache line, of which a tile uses all
_LINE: Final = 64


def schedule_injective(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    stmt = sch.get(block)
    if not is_injective(stmt) or not stmt.iter_vars:
        return None
    axes = _transposed_axes(stmt)
    tiled = _tile(sch, block, *axes) if axes is not None and model.vector_bytes else None
    return tiled or f"vectors are left to the code generator, {_divide_and_share(sch, block)}"


def _divide_and_share(sch: Schedule, block: BlockRV) -> str:
    """Divide the innermost loop where what is read changes, as in tiles and concatenations; share the others.

    Where threads share nothing, the others are divided as well: they become one with loops inside of them. One loop for
    each choice moves more elements in a time than threads that choose for each element, or each short row.
    """
    stmt, loops = sch.get(block), sch.get_loops(block)
    while len(loops) > 1 and size_of(sch, loops[-1]) == 1:
        loops.pop()
    *outer, last = loops
    axis, size = stmt.iter_vars[len(outer)].var, size_of(sch, last)
    if outer:
        rows = [iter_var.var for iter_var in stmt.iter_vars[: len(outer)]]
        is_divided = size < _SHORT_ROW and any(_is_cheap_choice(stmt, row) for row in rows)
        choice = _SERIAL if is_divided else parallelize(sch, outer, size)
        period = _period(stmt, axis)
        if period and size % period == 0 and size > period:
            _, last = sch.split(last, [None, period])
            choice += f", the innermost loop has periods of {period}"
        if _is_conditional_on(stmt, axis):
            sch.annotate(last, PARTITION, 1)
            return f"{choice}, choices along the innermost loop have loops of their own"
    else:
        choice = _SERIAL if _is_cheap_choice(stmt, axis) else parallelize(sch, [last])
    return _divide_at_choices(sch, stmt, loops) if choice == _SERIAL else choice


def _divide_at_choices(sch: Schedule, block: Block, loops: Sequence[LoopRV]) -> str:
    """Divide serial loops where choices depend on their variables."""
    pairs = zip(block.iter_vars, loops, strict=False)
    divided = [loop for iter_var, loop in pairs if _is_conditional_on(block, iter_var.var)]
    for loop in divided:
        sch.annotate(loop, PARTITION, 1)
    return f"{_SERIAL}, choices have loops of their own" if divided else _SERIAL


def _period(block: Block, axis: Var) -> int:
    """Return the number by which all indices divide an axis, 0 if there is none of some vectors."""
    numbers = {
        part.b.value if part.a is axis and isinstance(part.b, IntImm) else 0
        for load in nodes(block.body)
        if isinstance(load, BufferLoad)
        for index in load.indices
        for part in nodes(index)
        if isinstance(part, FloorMod) and axis in uses(part)
    }
    period = numbers.pop() if len(numbers) == 1 else 0
    return period if period >= _LEAST_PERIOD else 0


def _is_conditional_on(block: Block, axis: Var) -> bool:
    """Whether a choice between values depends on an axis."""
    choices = [part for part in nodes(block.body) if isinstance(part, Call) and is_conditional(part)]
    return any(axis in uses(choice.args[0]) for choice in choices)


def _is_cheap_choice(block: Block, axis: Var) -> bool:
    """Whether a block does little more than choose what it copies along an axis."""
    return (
        isinstance(block.body, BufferStore)
        and cost_of(block.body.value) <= _MOST_COST
        and _is_conditional_on(block, axis)
    )


def parallelize(sch: Schedule, loops: Sequence[LoopRV], steps: int = 1) -> str:
    """Run parts of about `_PART` iterations in parallel; the code generator fuses the loops inside of a part.

    An iteration of all loops takes some steps.
    """
    loops = [loop for loop in loops if size_of(sch, loop) > 1] or loops[:1]
    sizes = [*[size_of(sch, loop) for loop in loops], steps]
    if prod(sizes) < 2 * _PART:
        return _SERIAL
    inner = len(loops) - 1
    while inner and sizes[inner] * prod(sizes[inner + 1 :]) < _PART:
        inner -= 1
    if inner:
        sch.parallel(sch.fuse(*loops[:inner]) if inner > 1 else loops[0])
        return f"{inner} outer loops are parallel"
    part = size_of_part(sizes[0], max(_PART // prod(sizes[1:]), 1))
    if part == 1:
        sch.parallel(loops[0])
        return "the outermost loop is parallel"
    outer, first = sch.split(loops[0], [None, part])
    if sizes[0] % part or sizes[0] == _UNKNOWN:
        for loop in (outer, first):
            sch.annotate(loop, PARTITION, 1)
    sch.parallel(outer)
    return f"parts of {part} iterations of the outermost loop are parallel"


def size_of_part(size: int, about: int) -> int:
    """Return the size of parts of a loop: the divisor next to `about`, less than twice as small or large.

    Without one, the last part is smaller, and has code of its own.
    """
    if size == _UNKNOWN:
        return about
    if about * about <= size:
        sizes = [part for part in range(about // 2 + 1, 2 * about) if size % part == 0]
    else:
        counts = range(size // (2 * about) + 1, 2 * size // about + 1)
        sizes = [size // count for count in counts if size % count == 0 and about < 2 * (size // count)]
    return min(sizes, key=lambda part: abs(part - about), default=about)


def contiguous_groups(block: Block) -> list[list[int]]:
    """Return the axes of a block in groups whose loops can be fused: no access tells the axes of a group apart."""
    groups = [[0]]
    for place in range(1, len(block.iter_vars)):
        if is_contiguous(block, place - 1):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def is_contiguous(block: Block, place: int) -> bool:
    """Whether all accesses index adjacent dimensions by an axis and the next one, which covers its dimension."""
    outer, inner = (axis.var for axis in block.iter_vars[place : place + 2])
    domain = block.iter_vars[place + 1].dom
    units = {axis.var for axis in block.iter_vars if axis.dom is not None and is_const(axis.dom.extent, 1)}
    parts = [*nodes(block.body), *(() if block.init is None else nodes(block.init))]
    uses = Counter(part for part in parts if part is outer or part is inner)
    for access in parts:
        if not isinstance(access, (BufferLoad, BufferStore)) or access.buffer.strides:
            continue
        indices = [_without_units(index, units) for index in access.indices]
        for dimension in range(len(indices) - 1):
            if indices[dimension] is outer and indices[dimension + 1] is inner:
                if domain is None or not structural_equal(access.buffer.shape[dimension + 1], domain.extent):
                    return False
                uses[outer] -= 1
                uses[inner] -= 1
    return not any(uses.values())


def _without_units(index: Expr, units: Set[Var]) -> Expr:
    """Return an index without the multiples of axes of one iteration, which are 0, that are added to another part."""
    while isinstance(index, Add):
        rest = [part for part in (index.a, index.b) if not _is_multiple(part, units)]
        if len(rest) != 1:
            break
        (index,) = rest
    return index


def _is_multiple(index: Expr, axes: Set[Var]) -> bool:
    return index in axes or (isinstance(index, Mul) and isinstance(index.b, IntImm) and index.a in axes)


def _transposed_axes(block: Block) -> tuple[int, int] | None:
    """Return the axes along which elements are written and read one after the other, None if it is the same one."""
    store = block.body
    assert isinstance(store, BufferStore)
    axes: list[Expr] = [axis.var for axis in block.iter_vars]
    last = store.indices[-1] if store.indices else None
    for load in nodes(store.value):
        if isinstance(load, BufferLoad) and load.indices and last in axes:
            is_along = any(last in uses(index) and _is_linear(index) for index in load.indices)
            first = _period_axis(load.indices[-1])
            if is_along and first is not last and first in axes:
                return axes.index(last), axes.index(first)
    return None


def _period_axis(index: Expr) -> Expr:
    """Return the axis that an index follows, perhaps in periods of a tile's columns at least; others are returned."""
    if isinstance(index, FloorMod) and isinstance(index.b, IntImm) and index.b.value >= _LEAST_COLUMNS:
        return index.a
    return index


def _is_linear(index: Expr) -> bool:
    return all(isinstance(part, (Add, Mul, Var, IntImm)) for part in nodes(index) if isinstance(part, Expr))


def _tile(sch: Schedule, block: BlockRV, row: int, column: int) -> str | None:
    """Copy tiles: the columns of a cache line of the source, a vector of each; None where there are too few."""
    stmt, loops = sch.get(block), sch.get_loops(block)
    element_bytes = stmt.writes[0].buffer.dtype.itemsize
    lanes = 8 if element_bytes >= 4 else 16
    columns = min(max(_LINE // element_bytes, 8), 16)
    sizes = [size_of(sch, loop) for loop in loops]
    groups = contiguous_groups(stmt)
    if any(
        prod(sizes[place] for group in groups if axis in group for place in group) < _LEAST_COLUMNS
        for axis in (row, column)
    ):
        return None
    fused = [sch.fuse(*[loops[place] for place in group]) if len(group) > 1 else loops[group[0]] for group in groups]
    row_loop, column_loop = (
        next(loop for loop, group in zip(fused, groups, strict=True) if axis in group) for axis in (row, column)
    )
    outer = [loop for loop in fused if loop not in (row_loop, column_loop)]
    column_tile, each = sch.split(column_loop, [None, columns])
    row_tile, lane = sch.split(row_loop, [None, min(lanes, size_of(sch, row_loop))])
    sch.reorder(*outer, column_tile, row_tile, each, lane)
    for loop in (column_tile, row_tile):
        sch.annotate(loop, PARTITION, 1)
    sch.unroll(each)
    sch.vectorize(lane)
    tiles = [*outer, column_tile, row_tile]
    sch.parallel(next((loop for loop in tiles if size_of(sch, loop) > 1), tiles[0]))
    return f"tiles of {columns} columns of {lanes} elements"


def size_of(sch: Schedule, loop: LoopRV) -> int:
    """Return the extent of a loop, a large number for what is known at run time only."""
    extent = sch.get(loop).extent
    return extent.value if isinstance(extent, IntImm) else _UNKNOWN
