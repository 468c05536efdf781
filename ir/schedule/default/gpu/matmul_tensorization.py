"""Matrix products on tensor cores: wmma fragments of 16 x 16, tiles of both operands in shared memory."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, axes_of, extent_of, inline_all
from tvmscript.ir.schedule.default.gpu.matmul import has_terms_last, product_of
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule

#: rows and columns of a fragment, warps of a block along rows and columns, fragments of a warp along each at most
_TILE, _WARPS, _FRAGMENTS = 16, 2, 4
#: fragments along the terms in shared memory
_TERMS: Final = 2
_LANES, _VECTOR = 32, 8
#: what a fragment of the result may hold -> its name in intrinsics
_TOTALS: Final = {"float16": "f16", "float32": "f32"}


class MatmulTensorization(GPURule):
    """Compute a product of float16 matrices whose sizes are multiples of tiles on tensor cores.

    rewrite:
        C[i, j] += A[i, k] * B[k, j]  -->  128 x 128 of C a block of 4 warps, 4 x 4 fragments a warp
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        if len(blocks) != 1:
            return None
        (block,) = blocks
        stmt = sch.get(block)
        product, axes = product_of(stmt), axes_of(sch, block)
        total = _TOTALS.get(stmt.writes[0].buffer.dtype)
        if product is None or axes is None or total is None or product.batch:
            return None
        if any(stmt.reads[place].buffer.dtype != "float16" for place in product.operands):
            return None
        loops = [*axes.spatial, *axes.reduced]
        if len(loops) != 3 or (*product.rows, *product.columns) != axes.spatial_vars:
            return None
        extents = [extent_of(sch, loop) or 1 for loop in loops]
        fragments = [_fragments_along(extent) for extent in extents[:2]]
        if 0 in fragments or extents[2] % (_TILE * _TERMS):
            return None
        is_transposed = has_terms_last(stmt, product.operands[1], product.terms)
        _schedule(sch, block, loops, fragments, total, is_transposed=is_transposed)
        return f"tiles of {_WARPS * _TILE * fragments[0]} x {_WARPS * _TILE * fragments[1]} on tensor cores"


def _fragments_along(extent: int) -> int:
    """Return how many fragments a warp has along an axis; 0 where no number divides it."""
    sizes = [count for count in (_FRAGMENTS, 2, 1) if extent % (_TILE * _WARPS * count) == 0]
    return sizes[0] if sizes else 0


def _schedule(
    sch: Schedule, block: BlockRV, loops: list[LoopRV], fragments: list[int], total: str, *, is_transposed: bool
) -> None:
    shared = [sch.cache_read(block, place, "shared") for place in (0, 1)]
    left, right = (sch.cache_read(block, place, f"wmma.matrix_{side}") for place, side in enumerate("ab"))
    result = sch.cache_write(block, 0, "wmma.accumulator")
    row, column, term = sch.get_loops(block)
    rows, warp_row, own_row, in_row = sch.split(row, [None, _WARPS, fragments[0], _TILE])
    columns, warp_column, own_column, in_column = sch.split(column, [None, _WARPS, fragments[1], _TILE])
    terms, inner_terms, in_term = sch.split(term, [None, _TERMS, _TILE])
    sch.reorder(
        rows, columns, warp_row, warp_column, terms, inner_terms, own_row, own_column, in_row, in_column, in_term
    )
    bound = {"blockIdx.y": rows, "blockIdx.x": columns, "threadIdx.y": warp_row, "threadIdx.z": warp_column}
    for axis, loop in bound.items():
        sch.bind(loop, axis)
    sch.compute_at(left, inner_terms)
    sch.compute_at(right, inner_terms)
    for copy in shared:
        sch.compute_at(copy, terms)
        _copy_by_all_threads(sch, copy)
    sch.reverse_compute_at(result, warp_column)
    product = sch.blockize(in_row)
    trans = "_trans" if is_transposed else ""
    sch.tensorize(_tile(sch, left), "wmma_load_16x16x16_f16_a_shared")
    sch.tensorize(_tile(sch, right), f"wmma_load_16x16x16_f16_b{trans}_shared")
    sch.tensorize(_tile(sch, result), f"wmma_store_16x16x16_{total}_global")
    init = sch.decompose_reduction(product, terms)
    sch.tensorize(init, f"wmma_fill_16x16x16_{total}")
    sch.tensorize(product, f"wmma_sync_16x16x16_f16f16{total}{trans}")


def _copy_by_all_threads(sch: Schedule, copy: BlockRV) -> None:
    """Copy a tile to shared memory, whose rows are longer by a vector, against conflicts of banks."""
    fused = sch.fuse(*sch.get_loops(copy)[-2:])
    _, warp_row, warp_column, lane, element = sch.split(fused, [None, _WARPS, _WARPS, _LANES, _VECTOR])
    for loop, axis in ((warp_row, "y"), (warp_column, "z"), (lane, "x")):
        sch.bind(loop, f"threadIdx.{axis}")
    sch.vectorize(element)
    sch.storage_align(copy, 0, 0, _TILE, _VECTOR)


def _tile(sch: Schedule, block: BlockRV) -> LoopRV:
    """Split the last two loops into fragments; return the loop around one."""
    row, column = sch.get_loops(block)[-2:]
    rows, in_row = sch.split(row, [None, _TILE])
    columns, in_column = sch.split(column, [None, _TILE])
    sch.reorder(rows, columns, in_row, in_column)
    return in_row
