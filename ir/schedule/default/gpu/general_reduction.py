"""Rows with several reductions: softmax, norms. A block has a row; what the reductions give is in shared memory.

Long rows of few are shared by the blocks of a cluster (sm_90a), each of which copies its part to shared memory once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.clusters import CLUSTER_BITS, cluster_size, count_of, share_terms
from tvmscript.ir.schedule.default.gpu.gpu_rule import (
    GPURule,
    axes_of,
    fuse_all,
    inline_all,
    is_injective,
    is_reduction,
    most_threads,
    reduces_over_threads,
    unroll,
)
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, Buffer, IterKind

_THREADS: Final = 256
#: bytes of parts of rows in the shared memory of a block: two blocks run on a multiprocessor
_SHARED_BYTES: Final = 96 << 10


class GeneralReduction(GPURule):
    """Compute all blocks of a row in one thread block.

    rewrite:
        max of rows; sum of rows of exp; quotients  -->  for row in blockIdx.x: max, sum, quotients by 256 threads
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        if len(blocks) < 2 or not is_injective(sch.get(blocks[-1])):
            return None
        kinds = [axes_of(sch, block) for block in blocks]
        classified = [axes for axes in kinds if axes is not None]
        reductions = [axes for axes in classified if axes.reduced]
        if len(classified) != len(kinds) or not reductions:
            return None
        if not all(reduces_over_threads(sch.get(block)) for block in blocks if is_reduction(sch.get(block))):
            return None
        leading = min(len(axes.spatial) for axes in reductions)
        if leading == 0 or any(len(axes.spatial) < leading for axes in classified):
            return None
        most = min(_THREADS, most_threads(target))
        *producers, last = blocks
        inner = sch.get_loops(last)
        size = self._cluster_size(sch, blocks, inner[:leading], inner[leading:], most, target)
        copies = _copy_rows(sch, blocks, leading) if size > 1 else []
        rows = fuse_all(sch, inner[:leading], last)
        sch.bind(rows, "blockIdx.x")
        for block in reversed([*copies, *producers]):
            if block not in copies:
                for place in range(len(sch.get(block).writes)):
                    sch.set_scope(block, place, "shared")
            sch.compute_at(block, rows, preserve_unit_loops=True)
        for block in [*copies, *blocks]:
            steps = share_terms(sch, _terms_of(sch, block), size, most)[0]
            unroll(sch, steps)
        return f"a row by {size} blocks, which read it once" if size > 1 else "a row a block"

    def _cluster_size(
        self,
        sch: Schedule,
        blocks: Sequence[BlockRV],
        rows: Sequence[LoopRV],
        inner: Sequence[LoopRV],
        threads: int,
        target: Target,
    ) -> int:
        """Return how many blocks share a row: one where they cannot, or where parts of rows are too large."""
        terms = count_of(sch, inner)
        stmts = [sch.get(block) for block in blocks]
        sums = [region.buffer for stmt in stmts if is_reduction(stmt) for region in stmt.writes]
        lengths = {_count_inside(sch, block, len(rows)) for block in blocks}
        if terms is None or lengths != {terms} or any(total.dtype.bits < CLUSTER_BITS for total in sums):
            return 1
        size = cluster_size(target, count_of(sch, rows), terms, threads)
        rows_read = sum(buffer.dtype.itemsize for buffer in _rows_read(stmts, len(rows)))
        return size if rows_read * terms // size <= _SHARED_BYTES else 1


def _terms_of(sch: Schedule, block: BlockRV) -> LoopRV:
    """Return the terms of a reduction, or the elements of an injective block, as one loop."""
    stmt = sch.get(block)
    inner = sch.get_loops(block)[1:]
    if is_reduction(stmt):
        inner = inner[len(inner) - _reduced_count(stmt) :]
    return fuse_all(sch, inner, block)


def _reduced_count(stmt: Block) -> int:
    return sum(axis.iter_type is IterKind.COMM_REDUCE for axis in stmt.iter_vars)


def _count_inside(sch: Schedule, block: BlockRV, leading: int) -> int | None:
    """Return how many iterations a block has for a row."""
    return count_of(sch, sch.get_loops(block)[leading:])


def _rows_read(stmts: Sequence[Block], leading: int) -> list[Buffer]:
    """Return the arrays of which several blocks read whole rows."""
    counts = Counter(region.buffer for stmt in stmts for region in stmt.reads if len(region.buffer.shape) > leading)
    written = {region.buffer for stmt in stmts for region in stmt.writes}
    return [buffer for buffer, count in counts.items() if count > 1 and buffer not in written]


def _copy_rows(sch: Schedule, blocks: Sequence[BlockRV], leading: int) -> list[BlockRV]:
    """Copy the rows that several blocks read to shared memory; return the blocks that copy."""
    copies: list[BlockRV] = []
    for buffer in _rows_read([sch.get(block) for block in blocks], leading):
        readers = [block for block in blocks if any(region.buffer is buffer for region in sch.get(block).reads)]
        places = [region.buffer for region in sch.get(readers[0]).reads]
        copies.append(sch.cache_read(readers[0], places.index(buffer), "shared.dyn", readers))
    return copies
