"""Products of matrices, also convolutions: a loop each for batch, rows, columns and terms, in whole tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.gpu.gpu_rule import axes_of, bind_elements, extent_of, fuse_all, is_reduction
from tvmscript.ir.schedule.default.gpu.tile_model import parts_of_terms
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Expr, IntImm, Mul, Var, uses

#: threads of a block that adds parts of the terms
_THREADS: Final = 256
#: annotation of a block that adds parts of the terms of a product
ADDS_PARTS: Final = "adds_parts"


@dataclass(frozen=True)
class Product:
    """Axes of a block that multiplies matrices: in all of them, of the left, of the right, summed."""

    batch: tuple[Var, ...]
    rows: tuple[Var, ...]
    columns: tuple[Var, ...]
    terms: tuple[Var, ...]
    #: places of the operands among what the block reads
    operands: tuple[int, int]


def product_of(stmt: Block) -> Product | None:
    """Return what a block multiplies, None for one that is no product of two arrays."""
    store = stmt.body
    if not is_reduction(stmt) or not isinstance(store, BufferStore):
        return None
    own = store.buffer
    loads = [node for node in nodes(store.value) if isinstance(node, BufferLoad) and node.buffer is not own]
    places = [place for place, region in enumerate(stmt.reads) if region.buffer is not own]
    has_product = any(isinstance(node, Mul) for node in nodes(store.value))
    if not has_product or [load.buffer for load in loads] != [stmt.reads[place].buffer for place in places]:
        return None
    if len(places) != 2:
        return None
    accesses: tuple[BufferLoad | BufferStore, ...] = (*loads, store)
    left, right, result = ({var for index in access.indices for var in uses(index)} for access in accesses)
    groups: dict[tuple[bool, bool, bool], list[Var]] = {}
    for axis in stmt.iter_vars:
        groups.setdefault((axis.var in left, axis.var in right, axis.var in result), []).append(axis.var)
    kinds = ((True, True, True), (True, False, True), (False, True, True), (True, True, False))
    if set(groups) - set(kinds) or kinds[3] not in groups:
        return None
    batch, rows, columns, terms = (tuple(groups.get(kind, ())) for kind in kinds)
    return Product(batch, rows, columns, terms, (places[0], places[1]))


class Tile(NamedTuple):
    """The sizes of a tile, and how many warps share its rows and its columns."""

    rows: int
    columns: int
    terms: int
    row_warps: int = 1
    column_warps: int = 1


#: Chooses a tile, given the block, its product, and the extents of rows, columns and terms where they are constant.
ChooseTile = Callable[[Block, Product, tuple[int | None, int | None, int | None]], Tile | None]
#: Chooses how many neighbours along each axis of rows are a box, given the block, its product and the rows of a tile.
ChooseBox = Callable[[Block, Product, int], Mapping[Var, int]]


@dataclass(frozen=True)
class FlatProduct:
    """A product whose loops are a batch, rows, columns and terms, each of whole tiles where that is possible."""

    block: BlockRV
    product: Product
    tile: Tile
    #: batch, rows, columns, terms
    loops: tuple[LoopRV, LoopRV, LoopRV, LoopRV]
    #: what stores the result, where that is not the block
    store: BlockRV | None
    #: whether axes were padded to whole tiles
    is_padded: bool
    #: whether the columns that are stored are whole tiles
    is_whole: bool
    #: extents of boxes of rows, of which tiles consist; empty where rows are in the order of their axes
    row_box: tuple[int, ...] = ()


def product_blocks(sch: Schedule, root: BlockRV) -> list[BlockRV]:
    """Return the blocks that reduce, which multiply an array that they share; none where they do something else.

    Those that add parts of a product are left out.
    """
    stmts = {block: sch.get(block) for block in sch.get_child_blocks(root)}
    blocks = [block for block, stmt in stmts.items() if is_reduction(stmt) and ADDS_PARTS not in stmt.annotations]
    multiplied: list[set[Buffer]] = []
    for block in blocks:
        stmt = sch.get(block)
        product = product_of(stmt)
        multiplied.append({stmt.reads[place].buffer for place in product.operands} if product is not None else set())
    return blocks if blocks and set.intersection(*multiplied) else []


def flatten_product(
    sch: Schedule,
    block: BlockRV,
    choose_tile: ChooseTile,
    *,
    columns_last: bool = True,
    choose_box: ChooseBox | None = None,
    at_once: int = 0,
) -> FlatProduct | None:
    """Bring a product to four loops; None where it has no rows or columns, or where no tile is chosen.

    With `columns_last`, operands are exchanged where rows run with the memory of the result. Rows are in the order of
    their axes, or of the boxes that `choose_box` returns. Where the device computes more tiles `at_once`, parts of the
    terms are a batch, and another launch adds their sums. Raises `ScheduleError`.
    """
    product = product_of(sch.get(block))
    if product is None or axes_of(sch, block) is None or not product.rows or not product.columns:
        return None
    product = _current_product(sch, block, columns_last=columns_last)
    if product is None:
        return None
    loop_of = dict(zip([axis.var for axis in sch.get(block).iter_vars], sch.get_loops(block), strict=True))
    rows, columns, terms = (
        _extent(sch, [loop_of[var] for var in group]) for group in (product.rows, product.columns, product.terms)
    )
    tile = choose_tile(sch.get(block), product, (rows, columns, terms))
    if tile is None:
        return None
    parts = 1
    if rows is not None and columns is not None and terms is not None and can_split_terms(product):
        parts = parts_of_terms(tile[:3], (rows, columns, terms), at_once)
    adders = [each for each in sch.get_consumers(block) if ADDS_PARTS in sch.get(each).annotations]
    if adders:
        _bind_adder(sch, adders[0])
        store = None
    elif parts > 1:
        block = _split_terms(sch, block, loop_of[product.terms[0]], parts)
        product = _current_product(sch, block, columns_last=columns_last)
        if product is None:
            return None
        store = None
    else:
        store = _join_consumers(sch, block)
    box: Mapping[Var, int] = {}
    if parts > 1 or any(len(group) > 1 for group in (product.batch, product.rows, product.columns, product.terms)):
        box = choose_box(sch.get(block), product, tile.rows) if choose_box is not None else {}
        store = _flatten(sch, block, product, store, box)
        product = _current_product(sch, block, columns_last=columns_last)
        if product is None:
            return None
    loop_of = dict(zip([axis.var for axis in sch.get(block).iter_vars], sch.get_loops(block), strict=True))
    is_whole = (extent_of(sch, loop_of[product.columns[-1]]) or 1) % tile.columns == 0
    padding = _padding(sch, block, product, tile)
    is_padded = bool(sch.can.pad_einsum(block, padding))
    store = _pad(sch, block, padding, store) if is_padded else store
    loops = dict(zip(loop_of, sch.get_loops(block), strict=True))
    groups = [[loops[var] for var in group] for group in (product.batch, product.rows, product.columns)]
    sums = [loops[var] for var in product.terms]
    sch.reorder(*[loop for group in groups for loop in group], *sums)
    row, column = (fuse_all(sch, group, block) for group in groups[1:])
    fused = fuse_all(sch, groups[0], row), row, column, fuse_all(sch, sums, block)
    product = _current_product(sch, block, columns_last=columns_last)
    assert product is not None
    return FlatProduct(block, product, tile, fused, store, is_padded, is_whole, tuple(box.values()))


def batch_of(stmt: Block, product: Product) -> int:
    """Return how many products a block computes side by side, 1 where that is unknown."""
    extents = [axis.dom.extent for axis in stmt.iter_vars if axis.var in product.batch and axis.dom is not None]
    return math.prod(extent.value if isinstance(extent, IntImm) else 1 for extent in extents)


def can_split_terms(product: Product) -> bool:
    """Return whether parts of the terms may be a batch."""
    return not product.batch and len(product.terms) == 1


def _split_terms(sch: Schedule, block: BlockRV, term: LoopRV, parts: int) -> BlockRV:
    """Return the block that adds parts of the terms; threads add the parts, and compute what follows.

    Raises `ScheduleError`.
    """
    part, _ = sch.split(term, [parts, None])
    partial = sch.rfactor(part, 0)
    for each in (partial, block):  # in the order of their axes
        loops: dict[Expr, LoopRV] = {sch.get(loop).loop_var: loop for loop in sch.get_loops(each)}
        sch.reorder(*[loops[value] for value in realize_of(sch.block(each)).iter_values])
    _bind_adder(sch, block)
    return partial


def _bind_adder(sch: Schedule, block: BlockRV) -> None:
    """Let threads add the parts of an element, and compute what follows. Raises `ScheduleError`."""
    epilogue = _join_consumers(sch, block)
    bind_elements(sch, block if epilogue is None else epilogue, _THREADS)
    if epilogue is not None:
        sch.set_scope(block, 0, "local")
        sch.compute_at(block, sch.get_loops(epilogue)[-1])


def _extent(sch: Schedule, loops: Sequence[LoopRV]) -> int | None:
    """Return the product of the extents of loops, None where one is no constant."""
    extents = [extent_of(sch, loop) for loop in loops]
    return None if None in extents else math.prod(filter(None, extents))


def _join_consumers(sch: Schedule, block: BlockRV) -> BlockRV | None:
    """Inline what follows a product into one block, and return it. Raises `ScheduleError`."""
    chain: list[BlockRV] = []
    while consumers := sch.get_consumers(chain[-1] if chain else block):
        chain += consumers
    for each in chain[:-1]:
        sch.compute_inline(each)
    if not chain:
        return None
    name = sch.get(block).name_hint
    for producer in sch.get_producers(chain[-1]):
        if sch.get(producer).name_hint != name:
            sch.compute_inline(producer)
    return chain[-1]


def _flatten(
    sch: Schedule, block: BlockRV, product: Product, epilogue: BlockRV | None, box: Mapping[Var, int]
) -> BlockRV:
    """Make one axis of each group, as in an implicit product of a convolution; return what stores the result.

    Copies between the arrays and matrices of the fused axes are inlined later; the dimension of a matrix that runs with
    the memory of its array comes last. Raises `ScheduleError`.
    """
    groups = (product.batch, product.rows, product.columns, product.terms)
    extents = {axis.var: axis.dom.extent for axis in sch.get(block).iter_vars if axis.dom is not None}
    lasts = [uses(sch.get(block).reads[place].region[-1].min) for place in product.operands]
    left, right = ((3, part) if lasts[part - 1] & set(groups[part]) else (part, 3) for part in (1, 2))
    copies = [sch.reindex(block, ("read", place)) for place in product.operands]
    stored = sch.reindex(block, ("write", 0))
    order = [axis.var for axis in sch.get(block).iter_vars]
    stmt = sch.get(block)
    regions = [*(stmt.reads[place].region for place in product.operands), stmt.writes[0].region]
    for copy, region, parts in zip([*copies, stored], regions, ((0, *left), (0, *right), (0, 1, 2)), strict=True):
        # a copy has no dimension for an axis of one iteration that its array adds to another one
        used = [var for var in order if any(var in uses(dim.min) for dim in region)]
        side = "read" if copy is stored else "write"
        kept = [tuple(var for var in groups[part] if var in used) for part in parts]
        sch.transform_layout(copy, (side, 0), _fusion(used, [group for group in kept if group], extents, box))
    sch.transform_block_layout(block, _fusion(order, [group for group in groups if group], extents, box))
    if epilogue is not None:
        sch.reverse_compute_inline(epilogue)
    used = [var for var in order if var not in product.terms]
    sch.transform_block_layout(stored, _fusion(used, [group for group in groups[:3] if group], extents, box))
    return stored


def _fusion(
    order: Sequence[Var], groups: Sequence[tuple[Var, ...]], extents: Mapping[Var, Expr], box: Mapping[Var, int]
) -> Callable[..., tuple[Expr, ...]]:
    """Return an index map from axes to one index for each group, row-major, after that of boxes where axes have one."""

    def fuse(*axes: Expr) -> tuple[Expr, ...]:
        value_of = dict(zip(order, axes, strict=True))
        indices: list[Expr] = []
        for group in groups:
            outer, inner = list[tuple[Expr, Expr]](), list[tuple[Expr, Expr]]()
            for var in group:
                value, extent, size = value_of[var], extents[var], box.get(var, 1)
                if size == 1 or fold.is_const(extent, size):
                    (outer if size == 1 else inner).append((value, extent))
                else:
                    outer.append((value // size, extent // size))
                    inner.append((value % size, IntImm(extent.dtype, size)))
            (first, _), *others = outer + inner
            indices.append(reduce(lambda index, other: index * other[1] + other[0], others, first))
        return tuple(indices)

    return fuse


def _current_product(sch: Schedule, block: BlockRV, *, columns_last: bool) -> Product | None:
    """Return what a block multiplies, None where no term is left; with `columns_last`, see `flatten_product`."""
    stmt = sch.get(block)
    product = product_of(stmt)
    if product is None or not columns_last or uses(stmt.writes[0].region[-1].min).isdisjoint(product.rows):
        return product
    return replace(product, rows=product.columns, columns=product.rows, operands=product.operands[::-1])


def _padding(sch: Schedule, block: BlockRV, product: Product, tile: Tile) -> list[int]:
    """Return the tile along each axis, whose multiple its extent is to be; 1 for groups of several axes."""
    sizes = {
        group[0]: size
        for group, size in zip((product.rows, product.columns, product.terms), tile[:3], strict=True)
        if len(group) == 1
    }
    return [sizes.get(axis.var, 1) for axis in sch.get(block).iter_vars]


def _pad(sch: Schedule, block: BlockRV, padding: list[int], epilogue: BlockRV | None) -> BlockRV | None:
    """Pad axes to whole tiles, so that the product has no conditions; return what stores the result.

    Copies of the operands guard their loads, and the last block its stores.
    """
    before = {sch.get(consumer).name_hint for consumer in sch.get_consumers(block)}
    sch.pad_einsum(block, padding)
    copies = [each for each in sch.get_consumers(block) if sch.get(each).name_hint not in before]
    if not copies:  # the terms alone are padded
        return epilogue
    if epilogue is None:
        return copies[0]
    sch.compute_inline(copies[0])
    return epilogue


def has_terms_last(stmt: Block, place: int, product: Product) -> bool:
    """Return whether the terms of a product are the last dimension of what a block reads; a batch may begin inside."""
    used = uses(stmt.reads[place].region[-1].min)
    return product.terms[-1] in used and used <= {product.terms[-1], *product.batch}
