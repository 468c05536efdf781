"""Default schedule of reductions: rows in lanes, columns side by side; the order of the terms stays.

Where sums may be split, few columns are reduced in vectors across rows, and threads share the terms of results that are
too few to keep them busy.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from itertools import accumulate
from math import gcd, prod
from typing import Final

from tvmscript.ir.analysis.blocks.reducers import NoReduction, reduction_of
from tvmscript.ir.core import nodes
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.injective import PARTITION, contiguous_groups, parallelize, size_of, size_of_part
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, IntImm, IterKind, Var

#: least columns that are reduced side by side to single results and to tuples, and least terms of each
_LEAST_COLUMNS: Final = 4
_LEAST_TUPLES: Final = 2
_LEAST_TERMS: Final = 16
#: terms that are added to a vector of columns while it is in a register, for fewer columns than that many and others
_NARROW: Final = 32
#: columns from which on vectors of them are used, whatever is left of the last one
_FEW: Final = 16
_TERMS: Final = (16, 4)
#: the same, for tuples of results: an update takes longer than loads and stores
_TERMS_OF_TUPLES: Final = 2
#: vectors that have fewer elements than a row, which is one vector then, of any length
_WHOLE: Final = 4
#: least terms of halves, whose sums are rounded where they are stored
_HALVES: Final = ("float16", "bfloat16")
_OF_HALVES: Final = 8
#: columns of a part of a long row, which one thread reduces
_COLUMNS: Final = 2048
#: terms that a thread reduces, at least
_SHARED: Final = 1 << 15
#: elements that threads reduce side by side from which on they do not share terms; parts of terms at most
_MANY: Final = 8
_MOST_PARTS: Final = 64
#: rows of a part at least: its results are stored and read again
_LEAST_ROWS: Final = 64
#: vectors of a few columns that are reduced side by side at least, and how many terms each lane of them has
_LEAST_VECTORS: Final = 6
_LEAST_ROUNDS: Final = 4


@dataclass
class _Nest:
    """The loops of a block: over elements, the one of them over columns that are reduced side by side, over terms."""

    spatial: list[LoopRV]
    columns: LoopRV | None
    reduced: list[LoopRV]
    #: whether loops over terms are fused ones
    is_fused: bool = False

    @property
    def outer(self) -> list[LoopRV]:
        return [loop for loop in self.spatial if loop is not self.columns]


def schedule_reduction(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    nest = _fuse_loops(sch, block)
    return None if nest is None else _schedule(sch, block, nest, model)


def schedule_shared_reduction(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block of so few results that threads share its terms, as `schedule_reduction` does."""
    if not _is_splittable(sch.get(block), model):
        return None
    nest = _fuse_loops(sch, block)
    part = 0 if nest is None else _size_of_parts(sch, nest)
    if nest is None or not part:
        return None
    parts, nest = _share_terms(sch, block, nest, part, model)
    return f"parts of {part} terms are parallel, {_schedule(sch, parts, nest, model, is_shared=True)}"


def _fuse_loops(sch: Schedule, block: BlockRV) -> _Nest | None:
    """Fuse the loops that no access tells apart; return None for what is no reduction."""
    stmt = sch.get(block)
    kinds = [axis.iter_type for axis in stmt.iter_vars]
    if stmt.init is None or {*kinds} - {IterKind.DATA_PAR, IterKind.COMM_REDUCE} or IterKind.COMM_REDUCE not in kinds:
        return None
    if any(isinstance(part, BufferLoad) and part.indices and _is_gather(part) for part in nodes(stmt.body)):
        return None
    column = _contiguous_axis(stmt)
    loops, nest = sch.get_loops(block), _Nest([], None, [])
    for group in contiguous_groups(stmt):
        for part in _of_one_kind(group, kinds):
            loop = sch.fuse(*[loops[place] for place in part]) if len(part) > 1 else loops[part[0]]
            is_spatial = kinds[part[0]] is IterKind.DATA_PAR
            (nest.spatial if is_spatial else nest.reduced).append(loop)
            nest.is_fused |= len(part) > 1 and not is_spatial
            if column in part and is_spatial:
                nest.columns = loop
    least_terms = _LEAST_TERMS if isinstance(stmt.body, BufferStore) else _TERMS_OF_TUPLES
    if nest.columns is not None and (size_of(sch, nest.columns) < 2 or size_of(sch, nest.reduced[-1]) < least_terms):
        nest.columns = None
    return nest


def _schedule(sch: Schedule, block: BlockRV, nest: _Nest, model: MachineModel, *, is_shared: bool = False) -> str:
    """Schedule the nest of a block, whose first loop is over parts of terms where threads share them."""
    if nest.columns is not None:
        count = _rows_of_vectors(sch, block, nest, model)
        if count:
            return _across_rows(sch, block, nest, count, is_shared=is_shared)
        is_tuple = not isinstance(sch.get(block).body, BufferStore)
        if size_of(sch, nest.columns) >= (_LEAST_TUPLES if is_tuple else _LEAST_COLUMNS):
            return _side_by_side(sch, block, nest.outer, nest.columns, nest.reduced, model)
    spatial, reduced = nest.spatial, nest.reduced
    sch.reorder(*spatial, *reduced)
    work = prod(size_of(sch, loop) for loop in (*spatial, *reduced))
    if is_shared:
        sch.parallel(spatial[0])
    choice = f"{len(spatial)} of elements" if is_shared else _in_parallel(sch, spatial, work)
    if nest.is_fused:
        # the first iteration of fused loops is not found by their quotients
        sch.decompose_reduction(block, reduced[0])
    return f"{len(reduced)} loops of terms, {choice}"


def _is_splittable(block: Block, model: MachineModel) -> bool:
    """Whether partial results may be combined to the result: of integers, the order does not matter."""
    store = block.body
    if not isinstance(store, BufferStore) or not (model.splits_reductions or store.buffer.dtype.is_integer):
        return False
    try:
        reduction_of(block)
    except NoReduction:
        return False
    return True


def _size_of_parts(sch: Schedule, nest: _Nest) -> int:
    """Return the iterations of the outermost loop over terms that a thread runs, 0 where threads share elements."""
    columns = 1 if nest.columns is None else size_of(sch, nest.columns)
    elements = prod(size_of(sch, loop) for loop in nest.outer) * max(columns // _COLUMNS, 1)
    first, *others = [size_of(sch, loop) for loop in nest.reduced]
    steps = columns * prod(others)
    if elements >= _MANY or first * steps < 2 * _SHARED:
        return 0
    part = max(_SHARED // steps, 1 if nest.columns is None else _LEAST_ROWS)
    if isinstance(sch.get(nest.reduced[0]).extent, IntImm):
        part = max(part, -(-first // _MOST_PARTS))
    if nest.columns is not None:
        part = -(-part // _TERMS[0]) * _TERMS[0]
    part = size_of_part(first, part)
    return part if first >= 2 * part else 0


def _share_terms(sch: Schedule, block: BlockRV, nest: _Nest, part: int, model: MachineModel) -> tuple[BlockRV, _Nest]:
    """Reduce parts of the terms on their own, then their results; return the block of the parts, and its nest."""
    extent = sch.get(nest.reduced[0]).extent
    first, rest = sch.split(nest.reduced[0], [None, part])
    order = [sch.get(loop) for loop in sch.get_loops(block)]
    spatial, (inner, *reduced) = (
        [order.index(sch.get(loop)) for loop in loops] for loops in (nest.spatial, (rest, *nest.reduced[1:]))
    )
    column = None if nest.columns is None else order.index(sch.get(nest.columns))
    outer = order.index(sch.get(first))
    parts = sch.rfactor(first, 0)
    loops = sch.get_loops(parts)
    if not isinstance(extent, IntImm) or extent.value % part:
        sch.annotate(loops[outer], PARTITION, 1)
    if column is not None:
        of_results = dict(zip(sorted((outer, *spatial)), sch.get_loops(block), strict=True))
        others = [of_results[place] for place in spatial if place != column]
        if size_of(sch, of_results[outer]) >= _LEAST_TERMS:
            _side_by_side(sch, block, others, of_results[column], [of_results[outer]], model)
        else:
            sch.reorder(*others, of_results[outer], of_results[column])
            sch.decompose_reduction(block, of_results[outer])
    columns = None if column is None else loops[column]
    shared = [loops[outer], *[loops[place] for place in spatial]]
    return parts, _Nest(shared, columns, [loops[inner], *[loops[place] for place in reduced]], nest.is_fused)


def _in_parallel(sch: Schedule, spatial: list[LoopRV], work: int) -> str:
    """Run elements in parallel where that pays."""
    if not spatial:
        return "one element"
    terms = work // max(prod(size_of(sch, loop) for loop in spatial), 1)
    return parallelize(sch, spatial, terms)


def _side_by_side(
    sch: Schedule,
    block: BlockRV,
    outer: list[LoopRV],
    columns: LoopRV,
    reduced: list[LoopRV],
    model: MachineModel,
) -> str:
    """Read row after row, and add some of them to all columns at once."""
    stmt, parts, inner = sch.get(block), list[LoopRV](), list[LoopRV]()
    if isinstance(sch.get(columns).extent, IntImm) and size_of(sch, columns) >= 2 * _COLUMNS:
        part, columns = sch.split(columns, [None, _COLUMNS])
        parts.append(part)
    dtypes = [region.buffer.dtype for region in stmt.writes]
    if isinstance(stmt.body, BufferStore):
        count = _TERMS[size_of(sch, columns) >= _NARROW]
        if dtypes[0] in _HALVES:
            count = max(count, _OF_HALVES)
        count = _terms_at_once(size_of(sch, reduced[-1]), count)
    else:
        # code generation makes vectors of sums alone
        count, lanes = _TERMS_OF_TUPLES, model.lanes(max(dtype.itemsize for dtype in dtypes))
        extent = sch.get(columns).extent
        is_short = isinstance(extent, IntImm) and extent.value < _WHOLE * lanes and extent.value % lanes > 0
        if lanes > 1 and not is_short:
            columns, lane = sch.split(columns, [None, lanes])
            parts.append(columns)
            sch.vectorize(lane)
            inner.append(lane)
        elif lanes > 1:
            # vectors of other lengths are made of shorter ones, which stay in registers; masked ones do not
            columns, lane = sch.split(columns, [1, None])
            sch.vectorize(lane)
            inner.append(lane)
    row, term = sch.split(reduced[-1], [None, count])
    parts.append(row)
    reduced = [*reduced[:-1], row]
    divided = [loop for loop in parts if loop not in (*reduced, columns)]
    sch.reorder(*outer, *divided, *reduced, columns, term, *inner)
    for loop in parts:
        sch.annotate(loop, PARTITION, 1)
    sch.unroll(term)
    for loop in (*outer, *divided)[:1]:
        sch.parallel(loop)
    init = sch.decompose_reduction(block, reduced[0])
    if inner:
        sch.vectorize(sch.get_loops(init)[-1])
    return f"{len(outer)} outer loops, columns side by side, {count} terms at once"


def _rows_of_vectors(sch: Schedule, block: BlockRV, nest: _Nest, model: MachineModel) -> int:
    """Return the rows that fill vectors of their columns, 0 where columns are many or terms few."""
    stmt, place = sch.get(block), _contiguous_axis(sch.get(block))
    assert nest.columns is not None
    assert place is not None
    store, extent = stmt.body, sch.get(nest.columns).extent
    if not isinstance(store, BufferStore) or not isinstance(extent, IntImm) or not _is_splittable(stmt, model):
        return 0
    if store.indices[-1] is not stmt.iter_vars[place].var or _first_dimension(store.buffer, extent.value) is None:
        return 0  # they are not the last dimensions of the results
    lanes, columns = model.lanes(store.buffer.dtype.itemsize), extent.value
    if store.buffer.dtype in _HALVES or lanes < 2 or columns >= _FEW:
        return 0
    rows = lanes // gcd(lanes, columns)
    terms = size_of(sch, nest.reduced[-1])
    rows *= max(min(-(-_LEAST_VECTORS * lanes // (rows * columns)), terms // (_LEAST_ROUNDS * rows)), 1)
    return rows if terms >= 2 * rows else 0


def _first_dimension(buffer: Buffer, columns: int) -> int | None:
    """Return the first of the last dimensions that have so many elements together."""
    elements = accumulate(
        (extent.value if isinstance(extent, IntImm) else 0 for extent in reversed(buffer.shape)), operator.mul
    )
    return next((len(buffer.shape) - 1 - place for place, count in enumerate(elements) if count == columns), None)


def _across_rows(sch: Schedule, block: BlockRV, nest: _Nest, count: int, *, is_shared: bool) -> str:
    """Reduce the terms of few columns in vectors across rows, each lane of which belongs to one column."""
    assert nest.columns is not None
    columns = size_of(sch, nest.columns)
    work = prod(size_of(sch, loop) for loop in (*nest.outer, nest.columns, *nest.reduced))
    extent = sch.get(nest.reduced[-1]).extent
    *reduced, last = nest.reduced
    last, row = sch.split(last, [None, count])
    order = [sch.get(loop) for loop in sch.get_loops(block)]
    outer, column, row_place, terms = (
        [order.index(sch.get(loop)) for loop in loops]
        for loops in (nest.outer, [nest.columns], [row], [*reduced, last])
    )
    (result,) = sch.get(block).writes
    place = _first_dimension(result.buffer, columns)
    assert place is not None
    parts = sch.rfactor(row, place)
    sch.set_scope(parts, 0, "local")
    loops = sch.get_loops(parts)
    around, inside = [loops[place] for place in outer], [loops[place] for place in (*row_place, *column)]
    reduced = [loops[place] for place in terms]
    sch.reorder(*around, *reduced, *inside)
    sch.vectorize(sch.fuse(*inside))
    if not isinstance(extent, IntImm) or extent.value % count:
        sch.annotate(reduced[-1], PARTITION, 1)
    if is_shared:
        sch.parallel(around[0])
    choice = f"{len(around)} of elements" if is_shared else _in_parallel(sch, around, work)
    init = sch.decompose_reduction(parts, reduced[0])
    sch.vectorize(sch.get_loops(init)[-1])
    around = sch.get_loops(parts)[: -len(reduced) - 1]
    if around:
        sch.reverse_compute_at(block, around[-1])
    return f"{count} rows at once, {choice}"


def _terms_at_once(size: int, most: int) -> int:
    """Return how many terms are added at once: more than half of `most`, if that leaves none for code of their own."""
    return next((count for count in range(most, most // 2, -1) if size % count == 0), most)


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
