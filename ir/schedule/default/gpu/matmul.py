"""Matrix products: tiles of both operands in shared memory, a tile of the result in the registers of each thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.gpu.gpu_rule import (
    GPURule,
    axes_of,
    extent_of,
    fuse_all,
    is_reduction,
    unroll,
)
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Expr, Mul, Var, uses

#: threads of a block along rows and columns, terms in shared memory, elements that a thread moves at once
_THREADS: Final = 16
_TERMS: Final = 16
_VECTOR: Final = 4
#: rows and columns of a thread, for large and for small results
_LARGE, _SMALL = 8, 4


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


class Matmul(GPURule):
    """Tile a product of matrices, with batches, and let an injective epilogue follow the tile.

    rewrite:
        C[i, j] += A[i, k] * B[k, j]  -->  128 x 128 of C a block of 256 threads, 8 x 8 a thread, 16 terms at a time

    The 8 x 8 elements of a thread are four parts (virtual threads) of 4 x 4, so that a warp reads and writes vectors of
    4 columns side by side.
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = [block for block in sch.get_child_blocks(root) if is_reduction(sch.get(block))]
        product = product_of(sch.get(blocks[0])) if len(blocks) == 1 else None
        if product is None or axes_of(sch, blocks[0]) is None or not product.rows or not product.columns:
            return None
        (block,) = blocks
        product = _with_columns_last(product, sch.get(block))
        epilogue = _join_consumers(sch, block)
        if any(len(group) > 1 for group in (product.batch, product.rows, product.columns, product.terms)):
            epilogue, product = _flatten(sch, block, product, epilogue)
        loop_of = dict(zip([axis.var for axis in sch.get(block).iter_vars], sch.get_loops(block), strict=True))
        own = [_own_elements(sch, [loop_of[var] for var in group]) for group in (product.rows, product.columns)]
        is_whole = (extent_of(sch, loop_of[product.columns[-1]]) or 1) % (own[1] * _THREADS) == 0
        padding = _padding(sch, block, product, own)
        is_padded = bool(sch.can.pad_einsum(block, padding))
        epilogue = _pad(sch, block, padding, epilogue) if is_padded else epilogue
        loops = dict(zip(loop_of, sch.get_loops(block), strict=True))
        groups = [[loops[var] for var in group] for group in (product.batch, product.rows, product.columns)]
        terms = [loops[var] for var in product.terms]
        sch.reorder(*[loop for group in groups for loop in group], *terms)
        row, column = (fuse_all(sch, group, block) for group in groups[1:])
        fused = fuse_all(sch, groups[0], row), row, column, fuse_all(sch, terms, block)
        padded = product_of(sch.get(block))
        assert padded is not None
        padded = _with_columns_last(padded, sch.get(block))
        return _tile(sch, block, fused, padded, epilogue, own, is_padded=is_padded, is_whole=is_whole)


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


def _flatten(sch: Schedule, block: BlockRV, product: Product, epilogue: BlockRV | None) -> tuple[BlockRV, Product]:
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
    for copy, parts in ((copies[0], (0, *left)), (copies[1], (0, *right)), (stored, (0, 1, 2))):
        used = [var for var in order if any(var in groups[part] for part in parts)]
        side = "read" if copy is stored else "write"
        kept = [groups[part] for part in parts if groups[part]]
        sch.transform_layout(copy, (side, 0), _fusion(used, kept, extents))
    sch.transform_block_layout(block, _fusion(order, [group for group in groups if group], extents))
    if epilogue is not None:
        sch.reverse_compute_inline(epilogue)
    used = [var for var in order if var not in product.terms]
    sch.transform_block_layout(stored, _fusion(used, [group for group in groups[:3] if group], extents))
    flat = product_of(sch.get(block))
    assert flat is not None
    return stored, _with_columns_last(flat, sch.get(block))


def _fusion(
    order: Sequence[Var], groups: Sequence[tuple[Var, ...]], extents: Mapping[Var, Expr]
) -> Callable[..., tuple[Expr, ...]]:
    """Return an index map from axes to one index for each group, row-major."""

    def fuse(*axes: Expr) -> tuple[Expr, ...]:
        value_of = dict(zip(order, axes, strict=True))
        indices: list[Expr] = []
        for first, *others in groups:
            indices.append(reduce(lambda index, var: index * extents[var] + value_of[var], others, value_of[first]))
        return tuple(indices)

    return fuse


def _with_columns_last(product: Product, stmt: Block) -> Product:
    """Return the product with its operands exchanged if rows run with the memory of the result."""
    last = uses(stmt.writes[0].region[-1].min)
    if last.isdisjoint(product.rows):
        return product
    return replace(product, rows=product.columns, columns=product.rows, operands=product.operands[::-1])


def _own_elements(sch: Schedule, loops: list[LoopRV]) -> int:
    """Return how many elements of a thread lie along loops."""
    extents = [extent_of(sch, loop) for loop in loops]
    is_small = None not in extents and math.prod(extent or 1 for extent in extents) < _LARGE * _THREADS
    return _SMALL if is_small else _LARGE


def _padding(sch: Schedule, block: BlockRV, product: Product, own: list[int]) -> list[int]:
    """Return the tile along each axis, whose multiple its extent is to be; 1 for groups of several axes."""
    tiles = (own[0] * _THREADS, own[1] * _THREADS, _TERMS)
    sizes = {
        group[0]: tile
        for group, tile in zip((product.rows, product.columns, product.terms), tiles, strict=True)
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


def _tile(
    sch: Schedule,
    block: BlockRV,
    loops: tuple[LoopRV, LoopRV, LoopRV, LoopRV],
    product: Product,
    epilogue: BlockRV | None,
    own: list[int],
    *,
    is_padded: bool,
    is_whole: bool,
) -> str:
    """Bind tiles to blocks and threads. `is_whole`: the columns that are stored are whole tiles."""
    batch, row, column, term = loops
    rows, part_row, thread_row, own_row = sch.split(row, [None, own[0] // _VECTOR, _THREADS, _VECTOR])
    columns, part_column, thread_column, own_column = sch.split(column, [None, own[1] // _VECTOR, _THREADS, _VECTOR])
    outer_term, inner_term = sch.split(term, [None, _TERMS])
    blocks, threads = (batch, rows, columns), (part_row, part_column, thread_row, thread_column)
    sch.reorder(*blocks, *threads, outer_term, inner_term, own_row, own_column)
    bound = {
        "blockIdx.z": batch, "blockIdx.y": rows, "blockIdx.x": columns, "vthread.y": part_row, "vthread.x": part_column,
        "threadIdx.y": thread_row, "threadIdx.x": thread_column,
    }  # fmt: skip
    for axis, loop in bound.items():
        sch.bind(loop, axis)
    if epilogue is not None:
        sch.set_scope(block, 0, "local")
        store = epilogue
    else:
        store = sch.cache_write(block, 0, "local")
    sch.reverse_compute_at(store, thread_column)
    for place, is_left in zip(product.operands, (True, False), strict=True):
        _share_operand(sch, block, place, outer_term, product, is_left=is_left)
    if is_whole or (is_padded and len(product.columns) == 1):
        sch.vectorize(own_column)
    stored = sch.get_loops(store)[-1]
    if is_whole and extent_of(sch, stored) == _VECTOR:
        sch.vectorize(stored)
    sch.decompose_reduction(block, outer_term)
    unroll(sch, thread_column, own[0] * own[1])
    return f"tiles of {_THREADS * own[0]} x {_THREADS * own[1]}, {_TERMS} terms in shared memory"


def has_terms_last(stmt: Block, place: int, terms: tuple[Var, ...]) -> bool:
    """Return whether the terms of a product are the last dimension of what a block reads."""
    return stmt.reads[place].region[-1].min is terms[-1]


def _share_operand(
    sch: Schedule, block: BlockRV, place: int, outer_term: LoopRV, product: Product, *, is_left: bool
) -> None:
    """Copy a tile of an operand to shared memory by all threads.

    Threads read vectors of columns of the right operand: its tile has the columns last. Rows are padded: the two rows
    that a warp reads at a time are in other banks.
    """
    stmt = sch.get(block)
    is_padded = has_terms_last(stmt, place, product.terms) and len(stmt.reads[place].region) > 1
    shared = sch.cache_read(block, place, "shared")
    is_guarded = False
    while producers := sch.get_producers(shared):
        is_guarded = True
        for producer in producers:
            sch.compute_inline(producer)
    sch.compute_at(shared, outer_term)
    around = len(sch.get_loops(block)) - 3
    fused = fuse_all(sch, sch.get_loops(shared)[around:], shared)
    # a guard of each element would take a vector apart
    factors = [None, _THREADS, _THREADS, *(() if is_guarded else (_VECTOR,))]
    _, thread_row, thread_column, *lanes = sch.split(fused, factors)
    sch.bind(thread_row, "threadIdx.y")
    sch.bind(thread_column, "threadIdx.x")
    for lane in lanes:
        sch.vectorize(lane)
    if is_padded and not is_left:
        sch.transform_layout(shared, ("write", 0), lambda *index: (*index[:-2], index[-1], index[-2]))
    if is_padded:
        sch.storage_align(shared, 0, -2, 2 * _VECTOR, _VECTOR)
