"""Reductions with at most one injective epilogue: threads share the terms of a row, or take columns side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.gpu.clusters import CLUSTER_BITS, cluster_size, share_terms
from tvmscript.ir.schedule.default.gpu.gpu_rule import (
    Axes,
    GPURule,
    axes_of,
    bind_elements,
    extent_of,
    fuse_all,
    inline_all,
    is_injective,
    is_reduction,
    most_threads,
    power_of_two_up_to,
    reduces_over_threads,
    unroll,
)
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, uses

#: threads of a block for rows, of a row at least; threads side by side over columns, and over the terms of each
_THREADS: Final = 256
_COLUMNS: Final = 32
_TERM_THREADS: Final = 8


class Reduction(GPURule):
    """Reduce rows by the threads of a block together, or of a cluster of blocks; columns by threads side by side.

    rewrite:
        for i, k in T.grid(64, 1024): B[i] += A[i, k]  -->  a row a block, 256 threads share k
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        epilogue = blocks.pop() if len(blocks) == 2 and is_injective(sch.get(blocks[1])) else None
        if len(blocks) != 1 or not is_reduction(sch.get(blocks[0])):
            return None
        (block,) = blocks
        if epilogue is not None and not sch.get_loops(epilogue):
            sch.add_unit_loop(epilogue)
        axes = axes_of(sch, block)
        if axes is None or not reduces_over_threads(sch.get(block)):
            return None
        if axes.spatial:
            sch.reorder(*axes.spatial, *axes.reduced)
        if _reads_rows(sch.get(block), axes):
            return _share_rows(sch, block, axes, epilogue, target)
        if epilogue is not None and not _are_boxes([extent_of(sch, loop) for loop in axes.spatial]):
            choice = _share_columns(sch, block, axes, None)
            return choice if bind_elements(sch, epilogue, most_threads(target)) else None
        return _share_columns(sch, block, axes, epilogue)


def _reads_rows(stmt: Block, axes: Axes) -> bool:
    """Whether neighbouring terms of a sum are neighbours in the largest array that is read."""
    loads = [node for node in nodes(stmt.body) if isinstance(node, BufferLoad)]
    own = stmt.writes[0].buffer
    given = [load for load in loads if load.buffer is not own and load.indices]
    if not given:
        return True
    largest = max(given, key=lambda load: len({var for index in load.indices for var in uses(index)}))
    return bool(uses(largest.indices[-1]) & {axes.reduced_vars[-1]})


def _share_rows(sch: Schedule, block: BlockRV, axes: Axes, epilogue: BlockRV | None, target: Target) -> str:
    terms = fuse_all(sch, axes.reduced, block)
    threads = power_of_two_up_to(extent_of(sch, terms), min(_THREADS, most_threads(target)))
    rows = fuse_all(sch, axes.spatial, terms)
    can_meet = all(region.buffer.dtype.bits >= CLUSTER_BITS for region in sch.get(block).writes)
    blocks = cluster_size(target, extent_of(sch, rows), extent_of(sch, terms), threads) if can_meet else 1
    sch.bind(rows, "blockIdx.x")
    _, thread = share_terms(sch, terms, blocks, threads)
    if epilogue is not None:
        _share_results(sch, block)
        sch.reverse_compute_at(epilogue, rows)
        inner = sch.get_loops(epilogue)[1:]
        fused = fuse_all(sch, inner, epilogue)
        _, lane = sch.split(fused, [None, threads])
        sch.bind(lane, "threadIdx.x")
    unroll(sch, thread)
    return f"{threads} threads{f' of each of {blocks} blocks' if blocks > 1 else ''} share a row"


def _share_results(sch: Schedule, block: BlockRV) -> None:
    """Put what a block writes into shared memory."""
    for place in range(len(sch.get(block).writes)):
        sch.set_scope(block, place, "shared")


def _are_boxes(extents: Sequence[int | None]) -> bool:
    """Return whether the columns of each thread block are a box: an epilogue computes the box around them.

    >>> [_are_boxes(extents) for extents in ([None], [None, 4], [None, 64], [2, 6], [None, 6, 1])]
    [True, True, True, False, False]
    """
    inner = 1
    for extent in reversed([extent for extent in extents if extent != 1][1:]):
        if extent is None:
            return False
        inner *= extent
        if inner % _COLUMNS == 0:
            return True
        if _COLUMNS % inner:
            return False
    return True


def _share_columns(sch: Schedule, block: BlockRV, axes: Axes, epilogue: BlockRV | None) -> str:
    terms = fuse_all(sch, axes.reduced, block)
    columns = fuse_all(sch, axes.spatial, terms)
    grid, column = sch.split(columns, [None, _COLUMNS])
    _, thread = sch.split(terms, [None, _TERM_THREADS])
    sch.bind(grid, "blockIdx.x")
    sch.bind(column, "threadIdx.x")
    sch.bind(thread, "threadIdx.y")
    if epilogue is not None:
        _share_results(sch, block)
        sch.reverse_compute_at(epilogue, grid)
        fused = fuse_all(sch, sch.get_loops(epilogue)[1:], epilogue)
        _, lane = sch.split(fused, [None, _COLUMNS])
        sch.bind(lane, "threadIdx.x")
    return f"{_COLUMNS} columns side by side, {_TERM_THREADS} threads share each"
