"""Matrix products: tiles of both operands in shared memory, a tile of the result in the registers of each thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.flat_product import (
    FlatProduct,
    Product,
    Tile,
    flatten_product,
    has_terms_last,
    product_blocks,
)
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, extent_of, fuse_all, unroll
from tvmscript.ir.schedule.default.gpu.operands import separate_operands
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, PrimFunc

#: threads of a block along rows and columns, terms in shared memory, elements that a thread moves at once
_THREADS: Final = 16
_TERMS: Final = 16
_VECTOR: Final = 4
#: rows and columns of a thread, for large and for small results
_LARGE, _SMALL = 8, 4


class Matmul(GPURule):
    """Tile a product of matrices, with batches, and let an injective epilogue follow the tile.

    rewrite:
        C[i, j] += A[i, k] * B[k, j]  -->  128 x 128 of C a block of 256 threads, 8 x 8 a thread, 16 terms at a time

    The 8 x 8 elements of a thread are four parts (virtual threads) of 4 x 4, so that a warp reads and writes vectors of
    4 columns side by side.
    """

    def forms(self, func: PrimFunc, target: Target) -> Iterator[PrimFunc]:
        yield separate_operands(func)

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        choices: list[str] = []
        for block in product_blocks(sch, root):
            flat = flatten_product(sch, block, _choose_tile)
            if flat is None:
                return None
            choices.append(_tile(sch, flat))
        return "; ".join(choices) or None


def _choose_tile(stmt: Block, product: Product, extents: tuple[int | None, int | None, int | None]) -> Tile | None:
    """Return the sizes of a tile; None for one row or column, which all threads along it would store."""
    if 1 in extents[:2]:
        return None
    rows, columns = (_own_elements(extent) * _THREADS for extent in extents[:2])
    return Tile(rows, columns, _TERMS)


def _own_elements(extent: int | None) -> int:
    """Return how many elements of a thread lie along an axis."""
    return _SMALL if extent is not None and extent < _LARGE * _THREADS else _LARGE


def _tile(sch: Schedule, flat: FlatProduct) -> str:
    """Bind tiles to blocks and threads."""
    block, product, epilogue, is_whole = flat.block, flat.product, flat.store, flat.is_whole
    own = [flat.tile.rows // _THREADS, flat.tile.columns // _THREADS]
    batch, row, column, term = flat.loops
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
    if is_whole or (flat.is_padded and len(product.columns) == 1):
        sch.vectorize(own_column)
    stored = sch.get_loops(store)[-1]
    if is_whole and extent_of(sch, stored) == _VECTOR:
        sch.vectorize(stored)
    sch.decompose_reduction(block, outer_term)
    unroll(sch, thread_column, own[0] * own[1])
    return f"tiles of {_THREADS * own[0]} x {_THREADS * own[1]}, {_TERMS} terms in shared memory"


def _share_operand(
    sch: Schedule, block: BlockRV, place: int, outer_term: LoopRV, product: Product, *, is_left: bool
) -> None:
    """Copy a tile of an operand to shared memory by all threads.

    Threads read vectors of columns of the right operand: its tile has the columns last. Rows are padded: the two rows
    that a warp reads at a time are in other banks.
    """
    stmt = sch.get(block)
    is_padded = has_terms_last(stmt, place, product) and len(stmt.reads[place].region) > 1
    shared = sch.cache_read(block, place, "shared", [block])
    while producers := sch.get_producers(shared):
        for producer in producers:
            sch.compute_inline(producer)
    body = sch.get(shared).body
    is_copy = isinstance(body, BufferStore) and isinstance(body.value, BufferLoad)
    sch.compute_at(shared, outer_term)
    around = len(sch.get_loops(block)) - 3
    fused = fuse_all(sch, sch.get_loops(shared)[around:], shared)
    # a guard of each element would take a vector apart
    factors = [None, _THREADS, _THREADS, *((_VECTOR,) if is_copy else ())]
    _, thread_row, thread_column, *lanes = sch.split(fused, factors)
    sch.bind(thread_row, "threadIdx.y")
    sch.bind(thread_column, "threadIdx.x")
    for lane in lanes:
        sch.vectorize(lane)
    if is_padded and not is_left:
        sch.transform_layout(shared, ("write", 0), lambda *index: (*index[:-2], index[-1], index[-2]))
    if is_padded:
        sch.storage_align(shared, 0, -2, 2 * _VECTOR, _VECTOR)
