"""Matrix products on Hopper: warp groups multiply swizzled tiles in shared memory, copies and products run ahead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.flat_product import (
    FlatProduct,
    Product,
    Tile,
    batch_of,
    can_split_terms,
    flatten_product,
    has_terms_last,
    product_blocks,
)
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, extent_of
from tvmscript.ir.schedule.default.gpu.last_wave import forms_of_products
from tvmscript.ir.schedule.default.gpu.row_boxes import row_box
from tvmscript.ir.schedule.default.gpu.shared_tiles import (
    allows_tf32,
    cache_operand,
    can_copy_in_bulk,
    forbids_tensor_cores,
    is_in_bulk,
    is_transposing,
    spread_copy,
    transpose_copy,
    vectorize_pairs,
)
from tvmscript.ir.schedule.default.gpu.stream_k import TILES_OF_SHARE
from tvmscript.ir.schedule.default.gpu.tile_model import (
    Shares,
    WarpTiling,
    cheapest_tiling,
    multiprocessors,
    rows_of_whole_waves,
    shares_of_steps,
)
from tvmscript.ir.schedule.intrinsics.wgmma import GROUP, KINDS, ROW_BYTES, ROWS, STORED, WgmmaKind, sum_place
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferStore, Expr, IntImm, PrimFunc, uses
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import (
    BULK_COPY,
    MULTICAST,
    ROWS_OF_128_BYTES,
)
from tvmscript.ir.transform.loops.inject_software_pipeline.persistent_blocks import PERSISTENT
from tvmscript.ir.transform.loops.inject_software_pipeline.warp_specialization import PRODUCER

_ARCH: Final = "sm_90a"
#: versions of the tiles in shared memory, at most: of two steps, the products are under way; of the others, the copies
_STAGES: Final = 4
#: bytes of shared memory of a block, without 1 KB for barriers and alignment
_SHARED_BYTES: Final = 226 * 1024
#: registers of a thread of the group that copies, and of a thread of two others: 64,512 in a block
_REGISTERS: Final = (40, 232)
#: rows of tiles that are neighbours in the order of blocks: they share tiles of the right operand in L2
_NEIGHBOURS: Final = 8
#: blocks that share the copies of an operand: their tiles are neighbours
_CLUSTER: Final = 2
#: tiles, with one or two groups of four warps
_TILINGS: Final = (
    WarpTiling(128, 128, 2, 1), WarpTiling(128, 256, 2, 1), WarpTiling(64, 256, 1, 1), WarpTiling(128, 64, 2, 1),
    WarpTiling(64, 128, 1, 1), WarpTiling(64, 64, 1, 1),
)  # fmt: skip


class MatmulWGMMA(GPURule):
    """Compute a product by the warp groups of sm_90a, with batches and an epilogue; convolutions are products, too.

    Operands are those of `MatmulTensorization`, sums are float32 or int32. Tiles are copied in bulk (TMA) where an
    operand is an array whose rows are multiples of 16 bytes and lie as the instructions read them, otherwise by all
    threads. In pipelines of more steps than versions, two groups that multiply have another one that copies; where
    sizes are known, a block of each multiprocessor then computes every tile that is a grid after its last one. Two such
    blocks are a cluster where their tiles are side by side: each one copies half of the tile that both need, to both.

    rewrite:
        C[i, j] += A[i, k] * B[k, j]  -->  128 x 256 of C a block of 2 warp groups, 4 tiles of 64 terms in shared memory
    """

    def forms(self, func: PrimFunc, target: Target) -> Iterator[PrimFunc]:
        def choose_rows(stmt: Block, product: Product, size: tuple[int, int, int]) -> int | None:
            kind = _kind_of(stmt, product)
            if kind is None:
                return None
            return rows_of_whole_waves(_tilings(kind), target, size, kind.terms, has_shares=True)

        def choose_shares(stmt: Block, product: Product, size: tuple[int, int, int]) -> Shares | None:
            kind = _kind_of(stmt, product)
            return None if kind is None else shares_of_steps(_tilings(kind), target, size, kind.terms)

        yield from forms_of_products(func, choose_rows, choose_shares)

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        if target.options.get("arch") != _ARCH or forbids_tensor_cores(sch):
            return None

        def choose_tile(
            stmt: Block, product: Product, extents: tuple[int | None, int | None, int | None]
        ) -> Tile | None:
            kind = _kind_of(stmt, product)
            if kind is None or any(extent is not None and extent < ROWS for extent in extents[:2]):
                return None
            if kind.ptx == "tf32" and not allows_tf32(sch):
                return None
            step = kind.terms if can_split_terms(product) else 0
            tiling = cheapest_tiling(_tilings(kind), target, extents, step, batch_of(stmt, product))
            return Tile(tiling.rows, tiling.columns, kind.terms, tiling.row_warps)

        choices: list[str] = []
        for block in product_blocks(sch, root):
            flat = flatten_product(
                sch, block, choose_tile, columns_last=False, choose_box=row_box, at_once=multiprocessors(target)
            )
            if flat is None:
                return None
            choices.append(_tile(sch, flat, multiprocessors(target)))
        return "; ".join(choices) or None


def _tilings(kind: WgmmaKind) -> list[WarpTiling]:
    """Return the tiles that instructions have columns for."""
    return [tiling for tiling in _TILINGS if tiling.columns <= kind.most_columns]


def _kind_of(stmt: Block, product: Product) -> WgmmaKind | None:
    """Return the instructions for what a block multiplies, None where there are none."""
    dtypes = {str(stmt.reads[place].buffer.dtype) for place in product.operands}
    total = str(stmt.writes[0].buffer.dtype)
    return next((kind for kind in KINDS if {kind.dtype} == dtypes and kind.total == total), None)


def _tile(sch: Schedule, flat: FlatProduct, most_blocks: int) -> str:
    block, tile = flat.block, flat.tile
    kind = _kind_of(sch.get(block), flat.product)
    assert kind is not None
    batch, row, column, term = flat.loops
    rows, group, in_row = sch.split(row, [None, tile.row_warps, ROWS])
    columns, in_column = sch.split(column, [None, tile.columns])
    terms, in_term = sch.split(term, [None, kind.terms])
    count = extent_of(sch, rows)
    rows, neighbour = sch.split(rows, [None, 1 if count is None else math.gcd(count, _NEIGHBOURS)])
    sch.reorder(batch, rows, columns, neighbour, group, terms, in_row, in_column, in_term)
    operands = [_cache(sch, flat, kind, place) for place in flat.product.operands]
    outer = [batch, rows, columns, neighbour]
    # 0 where a size is unknown
    tiles = math.prod(extent_of(sch, loop) or 0 for loop in outer)
    steps = extent_of(sch, terms)
    if steps is None and most_blocks < tiles <= TILES_OF_SHARE * most_blocks:
        steps = _most_steps(sch.get(block), flat.product, kind)
    has_producer = (
        tile.row_warps > 1 and steps is not None and steps > _STAGES
        and all(operand.is_copied_in_bulk for operand in operands)
    )  # fmt: skip
    blocks = most_blocks if has_producer and tiles > most_blocks else 0
    shared = _shared_operand(sch, outer, blocks)
    in_thread = _bind(sch, outer, group, blocks, 1 if shared is None else _CLUSTER)
    if flat.store is None:
        store = sch.cache_write(block, 0, "warp")
    else:
        sch.set_scope(block, 0, "warp")
        store = flat.store
    is_stored_in_bulk = has_producer and _can_store_in_bulk(sch.get(store), sch.get(block), tile, flat.row_box)
    stages = _STAGES
    if is_stored_in_bulk:
        result_bytes = tile.rows * tile.columns * sch.get(store).writes[0].buffer.dtype.itemsize
        stages = min(stages, (_SHARED_BYTES - result_bytes) // ((tile.rows + tile.columns) * ROW_BYTES))
        _store_in_bulk(sch, flat, store, in_thread)
    else:
        sch.reverse_compute_at(store, in_thread)
    sch.transform_layout(block, ("write", 0), _by_threads(tile.columns))
    for operand in operands:
        _copy(sch, tile, kind, operand, terms)
    if shared is not None:
        sch.annotate(operands[shared].shared, MULTICAST, True)
    place = next(
        place for place, region in enumerate(sch.get(store).reads)
        if region.buffer is sch.get(block).writes[0].buffer
    )  # fmt: skip
    ended = sch.cache_read(store, place, "warp")
    _store_sums(sch, flat, store)
    inner = sch.blockize(in_row)
    init = sch.decompose_reduction(inner, terms)
    marks = "".join(f"_trans_{side}" for side, operand in zip("ab", operands, strict=True) if operand.is_transposed)
    sch.tensorize(init, f"wgmma_fill_{kind.total}_n{tile.columns}")
    sch.tensorize(inner, f"wgmma_{kind.name}_n{tile.columns}{marks}")
    sch.tensorize(sch.get_loops(ended)[-2], f"wgmma_wait_{kind.total}_n{tile.columns}")
    # copies come after the barrier of a step and the end of the one before it: their targets are read no more
    sch.annotate(terms, "software_pipeline_stage", [0, 0, stages - 2, stages - 1])
    sch.annotate(terms, "software_pipeline_order", [2, 3, 0, 1])
    sch.annotate(terms, "software_pipeline_async_stages", [0])
    if not has_producer:
        return f"tiles of {tile.rows} x {tile.columns} by warp groups"
    sch.annotate(terms, PRODUCER, list(_REGISTERS))
    with_clusters = "" if shared is None else f", in clusters of {_CLUSTER} blocks"
    return f"tiles of {tile.rows} x {tile.columns} by warp groups, one of which copies{with_clusters}"


def _most_steps(stmt: Block, product: Product, kind: WgmmaKind) -> int | None:
    """Return how many steps the sum of a tile has at most, where their number depends on the tile."""
    domain = next(axis.dom for axis in stmt.iter_vars if axis.var is product.terms[-1])
    return domain.extent.value // kind.terms if domain is not None and isinstance(domain.extent, IntImm) else None


def _can_store_in_bulk(stmt: Block, product: Block, tile: Tile, row_box: tuple[int, ...]) -> bool:
    """Return whether a block stores whole tiles of an array, of elements that `stmatrix` writes, as sums lie."""
    if not isinstance(stmt.body, BufferStore) or str(stmt.body.buffer.dtype) not in STORED:
        return False
    last = stmt.iter_vars[-2:]
    sums = next(region for region in stmt.reads if region.buffer is product.writes[0].buffer)
    row_length = ROW_BYTES // stmt.body.buffer.dtype.itemsize
    return (
        [each.min for each in sums.region[-2:]] == [axis.var for axis in last]
        and uses(stmt.body.indices[-1]) == {last[-1].var}
        and all(
            axis.dom is not None and isinstance(axis.dom.extent, IntImm) and axis.dom.extent.value % size == 0
            for axis, size in zip(last, (tile.rows, tile.columns), strict=True)
        )
        and is_in_bulk(stmt, stmt.body, TRUE, row_box, row_length)
    )


def _store_in_bulk(sch: Schedule, flat: FlatProduct, store: BlockRV, in_thread: LoopRV) -> None:
    """Store results by `stmatrix` to shared memory, from where each warp copies its rows in bulk."""
    tile = flat.tile
    copy = sch.reindex(store, ("write", 0))
    sch.set_scope(store, 0, "shared.dyn")
    to_shared = sch.cache_write(store, 0, "warp")
    dtype = str(sch.get(store).writes[0].buffer.dtype)
    for each in (store, to_shared, copy):
        sch.reverse_compute_at(each, in_thread)
    row_length = ROW_BYTES // sch.get(store).writes[0].buffer.dtype.itemsize
    sch.transform_layout(store, ("write", 0), _by_threads(tile.columns))
    sch.transform_layout(
        to_shared,
        ("write", 0),
        lambda *index: (*index[:-2], index[-1] // row_length, index[-2], index[-1] % row_length),
    )
    sch.tensorize(sch.get_loops(to_shared)[-2], f"wgmma_store_{dtype}_n{tile.columns}")
    row, column = sch.get_loops(copy)[-2:]
    warp, row = sch.split(row, [GROUP // 32, None])
    columns, column = sch.split(column, [None, row_length])
    sch.reorder(warp, columns, row, column)
    if flat.row_box:
        sch.split(row, [None, *_last_of_box(flat.row_box, ROWS // (GROUP // 32))])
    sch.annotate(copy, BULK_COPY, ROWS_OF_128_BYTES)


def _last_of_box(row_box: tuple[int, ...], rows: int) -> list[int]:
    """Return the extents of the last rows of a box, powers of two."""
    extents: list[int] = []
    for extent in reversed(row_box):
        extents.insert(0, min(extent, rows))
        rows //= extents[0]
    return extents


def _shared_operand(sch: Schedule, outer: list[LoopRV], blocks: int) -> int | None:
    """Return which operand tiles share that are neighbours in clusters of blocks, None where there are no clusters."""
    _, _, columns, neighbour = (extent_of(sch, loop) or 0 for loop in outer)
    if blocks % _CLUSTER or not blocks:
        return None
    if neighbour % _CLUSTER == 0:
        return 1
    return 0 if neighbour == 1 and columns % _CLUSTER == 0 else None


def _bind(sch: Schedule, outer: list[LoopRV], group: LoopRV, blocks: int, cluster: int) -> LoopRV:
    """Bind the loops over tiles, which blocks compute in the order of x, then y, then z; return the innermost loop.

    A number of blocks in clusters shares the tiles, each block computes one where it is 0.
    """
    sch.bind(group, "threadIdx.y")
    if blocks:
        tiles = sch.fuse(*outer)
        sch.reorder(group, tiles)
        sch.annotate(tiles, PERSISTENT, blocks if cluster == 1 else [blocks, cluster])
        return tiles
    batch, rows, columns, neighbour = outer
    for axis, loop in {"z": sch.fuse(batch, rows), "y": columns, "x": neighbour}.items():
        sch.bind(loop, f"blockIdx.{axis}")
    return group


def _by_threads(columns: int) -> Callable[..., tuple[Expr, ...]]:
    """Return the index map from matrices to the sums of groups, by threads."""

    def index_map(*index: Expr) -> tuple[Expr, ...]:
        *outer, row, column = index
        return (*outer, row // ROWS, column // columns, *sum_place(row % ROWS, column % columns))

    return index_map


class _Operand(NamedTuple):
    """A tile of an operand in shared memory, and how it is copied there."""

    shared: BlockRV
    #: whether the terms are not last
    is_transposed: bool
    #: whether the loop over terms is the last one
    is_last_loop: bool
    is_copied_in_bulk: bool
    #: extents of boxes of rows that the copies consist of
    row_box: tuple[int, ...]


def _cache(sch: Schedule, flat: FlatProduct, kind: WgmmaKind, place: int) -> _Operand:
    """Copy an operand to shared memory, in the layout that instructions read."""
    is_terms_last = has_terms_last(sch.get(flat.block), place, flat.product)
    shared = cache_operand(sch, flat.block, place)
    # what was inlined may have exchanged them
    has_rows_of_terms = is_terms_last != is_transposing(sch.get(shared))
    is_transposed = not has_rows_of_terms and kind.is_transposable
    if is_transposed:
        size = kind.terms
        other, term = (-2, -1) if is_terms_last else (-1, -2)
        sch.transform_layout(
            shared, ("write", 0), lambda *index: (*index[:-2], index[other] // size, index[term], index[other] % size)
        )
    elif not is_terms_last:
        transpose_copy(sch, shared)
    has_rows = is_transposed or has_rows_of_terms
    box = flat.row_box if place == flat.product.operands[0] else ()
    can_copy = has_rows and can_copy_in_bulk(sch.get(shared), box, kind.terms)
    return _Operand(shared, is_transposed, is_terms_last, can_copy, box)


def _copy(sch: Schedule, tile: Tile, kind: WgmmaKind, operand: _Operand, terms: LoopRV) -> None:
    """Copy a tile of an operand in each step: in bulk, or by all threads."""
    shared = operand.shared
    sch.compute_at(shared, terms)
    if not operand.is_copied_in_bulk:
        spread_copy(sch, shared, {"y": tile.row_warps, "x": GROUP})
        sch.annotate(shared, "permuted_layout", ROWS_OF_128_BYTES)
        return
    if operand.is_transposed:
        *_, term, other = sch.get_loops(shared)
        if operand.is_last_loop:
            term, other = other, term
        part, other = sch.split(other, [None, kind.terms])
        sch.reorder(part, term, other)
    elif operand.row_box:
        sch.split(sch.get_loops(shared)[-2], [None, *operand.row_box])
    sch.annotate(shared, BULK_COPY, ROWS_OF_128_BYTES)


def _store_sums(sch: Schedule, flat: FlatProduct, store: BlockRV) -> None:
    """Let each thread store, or compute from, the sums that it has: pairs side by side."""
    row, column = sch.get_loops(store)[-2:]
    warp, half, thread_row = sch.split(row, [4, 2, 8])
    part, thread_column, pair = sch.split(column, [None, 4, 2])
    sch.reorder(part, half, warp, thread_row, thread_column, pair)
    sch.bind(sch.fuse(warp, thread_row, thread_column), "threadIdx.x")
    vectorize_pairs(sch, flat, store, pair)
