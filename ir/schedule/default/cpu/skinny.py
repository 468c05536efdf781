"""Default schedule of products of a few rows and a large matrix, which is read once, along its rows.

Tiles would read a part of each row: from another page at each term, or from the same set of the first cache. Here some
rows of the matrix are multiplied at a time, and added to all columns of the result, which stay in a cache: a part of
these rows stays in registers for all rows of the result. Terms are added in the order of the program.
"""

from __future__ import annotations

from math import gcd, prod
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matmul_tiles import find_producer
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.steps import (
    PARTITION,
    axis_loops,
    extent_of,
    pad_block,
    read_index,
    vectorize_innermost,
)
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Expr, Var

#: rows of the result, at most; of a tile of it, at most, and where only so many divide them
_MOST_ROWS, _TILE_ROWS = 64, (4, 8)
#: vectors of a row that are computed together
_VECTORS: Final = 2
#: bytes of a row of the matrix from which on each one is on another page, and how many terms make it worth while
_FAR, _LEAST_TERMS = 2048, 64
#: bytes after which addresses share a set of the first cache, and of which so many share one
_WAY_BYTES, _FEW_SETS = 4096, 512
#: rows below which reading a matrix behind all caches takes longer than multiplying it
_FEW_ROWS: Final = 8
#: columns that a thread computes, at least, at least of one row, and at most
_LEAST_COLUMNS, _LEAST_OF_ROW, _MOST_COLUMNS = 1024, 2048, 4096


def schedule_skinny_product(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None:
        return None
    for each in (product, product.swapped()):
        # of many products the rows are computed in front of each
        is_fused = prod(map(each.size, each.batch)) > 1 and find_producer(sch, block, each.a) is not None
        if is_skinny(each, model) and find_producer(sch, block, each.b) is None and not is_fused:
            return _apply(sch, block, each, model)
    return None


def is_skinny(product: MatrixProduct, model: MachineModel, most_rows: int = _MOST_ROWS) -> bool:
    """Whether a few rows are multiplied by a matrix that is larger than the first cache."""
    element = product.c.buffer.dtype
    if not all(map(product.is_constant, product.axes)) or not element.is_floating or element.bits < 32:
        return False
    rows, columns, terms = product.sizes
    row_bytes = columns * product.b.buffer.dtype.itemsize
    is_contiguous = product.b.indices[-1] is product.column and (
        product.c.indices[-1] is product.column or rows == 1 == prod(map(product.size, product.batch))
    )
    is_large = terms >= _LEAST_TERMS and row_bytes * terms > model.l1_bytes
    is_far = row_bytes >= _FAR or gcd(row_bytes, _WAY_BYTES) >= _FEW_SETS
    return is_contiguous and is_large and is_far and rows <= most_rows and model.lanes(element.itemsize) > 1


def _apply(sch: Schedule, block: BlockRV, product: MatrixProduct, model: MachineModel) -> str:
    lanes = model.lanes(product.c.buffer.dtype.itemsize)
    rows, columns, terms = product.sizes
    width = _VECTORS * lanes
    # half of the registers, the others are for sums
    together = model.vector_registers // (2 * _VECTORS)
    is_behind_caches = rows < _FEW_ROWS and columns * terms * product.b.buffer.dtype.itemsize > model.l3_bytes
    if rows == 1 or is_behind_caches:
        together *= 2  # what is fetched at a time counts, not what is kept
    out = _move_rows_together(sch, block, product, width) if rows > 1 else None
    *batch, i, j, k = axis_loops(sch, block, product.axes).values()
    least_columns = _LEAST_OF_ROW if rows == 1 else _LEAST_COLUMNS
    thread_columns = -(-min(max(columns // 2, least_columns), _MOST_COLUMNS, columns) // width) * width
    shared, vectors, vector, lane = sch.split(j, [None, thread_columns // width, _VECTORS, lanes])
    step, term = sch.split(k, [None, together])
    tile, row = sch.split(i, [None, _tile_rows(rows)])
    sch.reorder(*batch, shared, step, vectors, tile, row, vector, term, lane)
    tails = {shared: columns % thread_columns, step: terms % together, vectors: columns % width}
    for loop, tail in tails.items():
        if tail:
            sch.annotate(loop, PARTITION, 1)
    for loop in (row, vector, term):
        sch.unroll(loop)
    sch.vectorize(lane)
    if out is not None:
        sch.reverse_compute_at(out, shared)
        vectorize_innermost(sch, out, lanes)
    outer = [loop for loop in (*batch, shared) if extent_of(sch, loop) > 1]
    if len(outer) > 1 and not tails[shared]:
        sch.parallel(sch.fuse(*outer))
    elif outer:
        sch.parallel(outer[0])
    init = sch.decompose_reduction(block, step)
    sch.vectorize(sch.get_loops(init)[-1])
    return f"{rows}x{columns}x{terms}: {together} rows of the matrix at a time"


def _tile_rows(rows: int) -> int:
    """Return the rows of a tile, which divide the rows."""
    few, some = (max(count for count in range(1, most + 1) if rows % count == 0) for most in _TILE_ROWS)
    return few if few > 1 else some


def _move_rows_together(sch: Schedule, block: BlockRV, product: MatrixProduct, width: int) -> BlockRV:
    """Keep what is read and added to for some columns next to each other, not in the same set of the cache.

    Returns the block that copies the result.
    """
    is_padded = product.size(product.column) % width != 0
    padded, out = pad_block(sch, block, {product.column: width}) if is_padded else ({}, None)
    for matrix in padded.values():
        sch.compute_inline(matrix)
    copy = sch.cache_read(block, read_index(sch, block, product.a.buffer), "global")
    place = [*product.a.indices].index(product.row)
    sch.transform_layout(copy, ("write", 0), lambda *axes: (*axes[:place], *axes[place + 1 :], axes[place]))
    out = out or sch.cache_write(block, 0, "global")
    row, column = ([*product.c.indices].index(axis) for axis in (product.row, product.column))

    def layout(*axes: Var) -> list[Expr]:
        batch = [axis for dimension, axis in enumerate(axes) if dimension not in (row, column)]
        return [*batch, axes[column] // width, axes[row], axes[column] % width]

    sch.transform_layout(block, ("write", 0), layout)
    return out
