"""Products of a matrix and a few vectors, whose weights may be decoded: threads share the terms of a row."""

from __future__ import annotations

from math import prod
from typing import Final

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.flat_product import has_terms_last, product_of
from tvmscript.ir.schedule.default.gpu.gpu_rule import (
    GPURule,
    axes_of,
    extent_of,
    fuse_all,
    inline_all,
    is_injective,
    is_reduction,
    most_threads,
    power_of_two_up_to,
)
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, IntImm, Var

#: threads of a row
_THREADS: Final = 128


class LowBatchGEMV(GPURule):
    """Read each row of a matrix once for up to `bucket` vectors: a thread has a sum for each of them.

    rewrite:
        for i, j, k in T.grid(4, 4096, 4096): C[i, j] += A[i, k] * W[j, k]  -->  a row of W a block, 128 threads share k
    """

    def __init__(self, bucket: int = 4) -> None:
        """Take how many vectors there are at most."""
        self.bucket = bucket

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        reductions = [block for block in sch.get_child_blocks(root) if is_reduction(sch.get(block))]
        if len(reductions) != 1:
            return None
        (block,) = reductions
        stmt = sch.get(block)
        product = product_of(stmt)
        if product is None or product.batch or not product.rows or not product.columns:
            return None
        groups = product.rows, product.columns
        sizes = [_size(stmt, group) for group in groups]
        few = next((place for place, size in enumerate(sizes) if size is not None and 1 < size <= self.bucket), None)
        # threads side by side read neighbours of the matrix
        if few is None or not has_terms_last(stmt, product.operands[1 - few], product):
            return None
        blocks = inline_all(sch, root)
        epilogue = blocks.pop() if len(blocks) == 2 and is_injective(sch.get(blocks[1])) else None
        axes = axes_of(sch, block)
        if len(blocks) != 1 or axes is None:
            return None
        loop_of = dict(zip(axes.spatial_vars, axes.spatial, strict=True))
        vectors, rows = ([loop_of[var] for var in groups[place]] for place in (few, 1 - few))
        sch.reorder(*rows, *vectors, *axes.reduced)
        terms = fuse_all(sch, axes.reduced, block)
        fuse_all(sch, rows, vectors[0])
        fuse_all(sch, vectors, terms)
        threads = power_of_two_up_to(extent_of(sch, terms), min(_THREADS, most_threads(target)))
        _, thread = sch.split(terms, [None, threads])
        parts = sch.rfactor(thread, 0)
        sch.set_scope(parts, 0, "local")
        row, vector, outer, own_thread = sch.get_loops(parts)
        sch.reorder(row, own_thread, outer, vector)
        sch.bind(row, "blockIdx.x")
        sch.bind(own_thread, "threadIdx.x")
        sch.unroll(vector)
        sch.decompose_reduction(parts, outer)
        sch.reverse_compute_at(block, row)
        *_, summed, own_vector = sch.get_loops(block)
        sch.reorder(own_vector, summed)
        sch.bind(summed, "threadIdx.x")
        if epilogue is not None:
            sch.set_scope(block, 0, "shared")
            sch.reverse_compute_at(epilogue, row)
            fused = fuse_all(sch, sch.get_loops(epilogue)[1:], epilogue)
            _, lane = sch.split(fused, [None, threads])
            sch.bind(lane, "threadIdx.x")
        return f"{threads} threads share a row for {sizes[few]} vectors"


def _size(stmt: Block, group: tuple[Var, ...]) -> int | None:
    """Return how many values axes of a block have together, None where that is no constant."""
    extents = [axis.dom.extent for axis in stmt.iter_vars if axis.var in group and axis.dom is not None]
    sizes = [extent.value for extent in extents if isinstance(extent, IntImm)]
    return prod(sizes) if len(sizes) == len(group) else None
