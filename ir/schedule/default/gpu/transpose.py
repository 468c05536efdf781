"""Copies with exchanged dimensions, through tiles in shared memory."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, inline_all, is_injective, unroll
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore

_COLUMNS: Final = 32
_ROWS: Final = 8
#: rows of a tile that one thread copies
_STEPS: Final = 4


class Transpose(GPURule):
    """Read and write rows: a tile of 32 x 32 goes through shared memory, whose rows are one element longer.

    rewrite:
        for i, j in T.grid(n, m): B[i, j] = A[j, i]  -->  32 x 8 threads, 4 elements a thread
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        if len(blocks) != 1 or not _is_transpose(sch.get(blocks[0])):
            return None
        (block,) = blocks
        row, column = sch.get_loops(block)
        rows, step, thread_row = sch.split(row, [None, _STEPS, _ROWS])
        columns, thread_column = sch.split(column, [None, _COLUMNS])
        sch.reorder(rows, columns, step, thread_row, thread_column)
        sch.bind(rows, "blockIdx.y")
        sch.bind(columns, "blockIdx.x")
        unroll(sch, rows)
        tile = sch.cache_read(block, 0, "shared")
        sch.compute_at(tile, columns)
        fused = sch.fuse(*sch.get_loops(tile)[2:])
        _, copy_row, copy_column = sch.split(fused, [None, _ROWS, _COLUMNS])
        for loop, axis in ((thread_row, "y"), (thread_column, "x"), (copy_row, "y"), (copy_column, "x")):
            sch.bind(loop, f"threadIdx.{axis}")
        sch.storage_align(tile, 0, 0, _COLUMNS, 1)
        return "tiles of 32 x 32 in shared memory"


def _is_transpose(stmt: Block) -> bool:
    """Whether a block copies a matrix with its axes exchanged."""
    store = stmt.body
    if not is_injective(stmt) or not isinstance(store, BufferStore) or len(stmt.iter_vars) != 2:
        return False
    loads = [node for node in nodes(store.value) if isinstance(node, BufferLoad)]
    axes = [axis.var for axis in stmt.iter_vars]
    return len(loads) == 1 and [*store.indices] == axes and [*loads[0].indices] == axes[::-1]
