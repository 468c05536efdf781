"""Default schedule of matrix products: register tiles over packed columns.

Any shape, layout and number of batch dimensions. The rows and columns of a tile fill the vector registers; a cost model
chooses them by the cycles of whole tiles. Padding makes tiles whole: padded columns are masked, padded rows are
computed and dropped. Where there are many rows, or the columns of B are not contiguous, panels of B are copied into the
order of the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Cast, Expr, IntImm, IterKind, Var
from tvmscript.ir.tir.expr import Add, FloatImm, Mul

#: rows of a tile, vectors of a row: at most
_MOST_ROWS, _MOST_VECTORS = 14, 4
#: cycles from one product to the next that adds to it
_LATENCY: Final = 8
#: loads of a vector or a broadcast, in multiply-adds
_LOAD_COST: Final = 0.6
#: cycles to copy an element of A into its padded form
_COPY_COST: Final = 0.25
#: rows from which columns that are not contiguous are copied into tiles; below, dot products cost less
_TILED_ROWS: Final = 24
#: rows from which a packed copy of B pays: vectors at any address cross cache lines, rows may share sets of a cache
_PACKED_ROWS: Final = 80


@dataclass(frozen=True)
class MatrixProduct:
    """What a block computes: `C[batch.., row, column] += A[batch.., row, sum] * B[batch.., sum, column]`."""

    batch: tuple[Var, ...]
    row: Var
    column: Var
    sum: Var
    a: BufferLoad
    b: BufferLoad
    extents: Mapping[Var, int]

    def swapped(self) -> MatrixProduct:
        """Return the product of the transposed matrices."""
        return replace(self, row=self.column, column=self.row, a=self.b, b=self.a)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The rows, columns and terms."""
        return self.extents[self.row], self.extents[self.column], self.extents[self.sum]


@dataclass(frozen=True)
class Tile:
    """A tile of C in registers: rows, and vectors of each row."""

    rows: int
    vectors: int


def match_matrix_product(block: Block) -> MatrixProduct | None:
    """Return the matrix product that a block computes, None if it computes something else."""
    store = block.body
    if not isinstance(store, BufferStore) or not _starts_at_zero(block, store.buffer):
        return None
    factors = _factors(store)
    if factors is None:
        return None
    extents = {
        axis.var: axis.dom.extent.value
        for axis in block.iter_vars
        if axis.dom is not None and isinstance(axis.dom.extent, IntImm)
    }
    if len(extents) != len(block.iter_vars):
        return None
    sums = [axis.var for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE]
    free = [axis.var for axis in block.iter_vars if axis.iter_type is IterKind.DATA_PAR]
    indices = [_axes(access.indices) for access in (store, *factors)]
    if len(sums) + len(free) != len(extents) or any(axes is None for axes in indices):
        return None
    c, x, y = ([*axes] for axes in indices if axes is not None)
    if not c or {*c} != {*free}:
        return None
    a, b, (in_a, in_b) = (*factors, (x, y)) if c[-1] in y and c[-1] not in x else (factors[1], factors[0], (y, x))
    batch = tuple(var for var in free if var in in_a and var in in_b)
    rows = [var for var in free if var in in_a and var not in in_b]
    columns = [var for var in free if var in in_b and var not in in_a]
    is_product = len(rows) == len(columns) == len(sums) == 1 and sums[0] in in_a and sums[0] in in_b
    if not is_product or columns[0] is not c[-1] or a.buffer is b.buffer or len(batch) + 2 != len(free):
        return None
    return MatrixProduct(batch, rows[0], columns[0], sums[0], a, b, extents)


def _starts_at_zero(block: Block, buffer: Buffer) -> bool:
    init = block.init
    return (
        isinstance(init, BufferStore)
        and init.buffer is buffer
        and isinstance(init.value, (FloatImm, IntImm))
        and init.value.value == 0
    )


def _factors(store: BufferStore) -> tuple[BufferLoad, BufferLoad] | None:
    """Return the loads of a product that is added to an element."""
    value = store.value
    if not isinstance(value, Add):
        return None
    for own, product in ((value.a, value.b), (value.b, value.a)):
        is_own = isinstance(own, BufferLoad) and own.buffer is store.buffer and own.indices == store.indices
        if is_own and isinstance(product, Mul):
            x, y = (side.value if isinstance(side, Cast) else side for side in (product.a, product.b))
            if isinstance(x, BufferLoad) and isinstance(y, BufferLoad):
                return x, y
    return None


def _axes(indices: tuple[Expr, ...]) -> tuple[Var, ...] | None:
    """Return indices that are different variables."""
    axes = tuple(index for index in indices if isinstance(index, Var))
    return axes if len(axes) == len(indices) == len({*axes}) else None


def choose_tile(product: MatrixProduct, lanes: int, registers: int) -> Tile:
    """Return the tile with the fewest cycles on a core that does one multiply-add of vectors in a cycle."""
    rows, columns, terms = product.sizes

    def cycles(tile: Tile) -> float:
        tiles = -(-rows // tile.rows) * -(-columns // (tile.vectors * lanes))
        step = max(tile.rows * tile.vectors, (tile.rows + tile.vectors) * _LOAD_COST, _LATENCY)
        copied = rows * terms * _COPY_COST if rows % tile.rows else 0
        return tiles * (terms * step + tile.rows * tile.vectors * 3 + 20) + copied

    tiles = [
        Tile(count, vectors)
        for vectors in range(1, _MOST_VECTORS + 1)
        for count in range(1, _MOST_ROWS + 1)
        if count * vectors + vectors + 1 <= registers
    ]
    return min(tiles, key=lambda tile: (cycles(tile), -tile.vectors * tile.rows, tile.rows))


def schedule_matmul(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None:
        return None
    dtype = sch.get(block).writes[0].buffer.dtype
    lanes, registers = model.lanes(dtype.bits // 8), model.vector_registers
    if not dtype.is_floating or lanes == 1:
        return None
    rows, columns, terms = product.sizes
    if columns < lanes // 2 and product.a.indices[-1] is product.row:
        product = product.swapped()
        rows, columns, terms = product.sizes
    is_contiguous = product.b.indices[-1] is product.column
    is_narrow = columns < lanes // 2
    if is_narrow or (not is_contiguous and rows < _TILED_ROWS):
        return _schedule_dots(sch, block, product) if terms >= 2 * lanes else None
    if rows < 2:
        return None
    tile = choose_tile(product, lanes, registers)
    is_packed = not is_contiguous or rows >= _PACKED_ROWS
    _TileSchedule(sch, block, product, tile, lanes).apply(is_packed=is_packed)
    layout = "packed" if is_packed else "as it is"
    return f"{rows}x{columns}x{terms}: tiles of {tile.rows} rows and {tile.vectors} vectors, B is {layout}"


def _schedule_dots(sch: Schedule, block: BlockRV, product: MatrixProduct) -> str:
    """Compute each element as a dot product of contiguous terms, copies where they are not; sums become vectors."""
    rows, columns, terms = product.sizes
    loops = _loops(sch, block, product)
    sch.reorder(*loops)
    for matrix in (product.a, product.b):
        if matrix.indices[-1] is not product.sum:
            copy = sch.cache_read(block, _read_index(sch, block, matrix.buffer), "global")
            _move_last(sch, copy, matrix.indices.index(product.sum))
    sch.parallel(loops[0])
    return f"{rows}x{columns}x{terms}: dot products"


def _move_last(sch: Schedule, block: BlockRV, place: int) -> None:
    """Make a dimension of the written buffer the contiguous one."""
    sch.transform_layout(block, ("write", 0), lambda *axes: (*axes[:place], *axes[place + 1 :], axes[place]))


def _read_index(sch: Schedule, block: BlockRV, buffer: Buffer) -> int:
    return [region.buffer for region in sch.get(block).reads].index(buffer)


def _loops(sch: Schedule, block: BlockRV, product: MatrixProduct) -> list[LoopRV]:
    """Return the loops of the batch, the rows, the columns and the terms."""
    loops: dict[Expr, LoopRV] = {sch.get(loop).loop_var: loop for loop in sch.get_loops(block)}
    realize = realize_of(sch.block(block))
    bound = {axis.var.name: value for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True)}
    return [loops[bound[axis.name]] for axis in (*product.batch, product.row, product.column, product.sum)]


class _TileSchedule:
    """The steps of the schedule of one block."""

    def __init__(self, sch: Schedule, block: BlockRV, product: MatrixProduct, tile: Tile, lanes: int) -> None:
        self.sch, self.block, self.product, self.tile, self.lanes = sch, block, product, tile, lanes
        self.width = tile.vectors * lanes

    def apply(self, *, is_packed: bool) -> None:
        sch, block, tile, product = self.sch, self.block, self.tile, self.product
        padded_a, padded_b, copy = self._pad()
        packed_b = padded_b
        if is_packed and packed_b is None:
            packed_b = sch.cache_read(block, _read_index(sch, block, product.b.buffer), "global")
        if packed_b is not None and not is_packed:
            sch.compute_inline(packed_b)
            packed_b = None
        if copy is None:
            copy = sch.cache_write(block, 0, "global")
        sch.set_scope(block, 0, "local")
        (written,) = sch.get(block).writes
        if written.region[-1].min is not product.column:
            _move_last(sch, block, [part.min for part in written.region].index(product.column))
        if packed_b is not None:
            self._pack(packed_b)
        *batch, i, j, k = _loops(sch, block, product)
        row_tile, row = sch.split(i, [None, tile.rows])
        column_tile, vector, lane = sch.split(j, [None, tile.vectors, self.lanes])
        sch.reorder(*batch, column_tile, row_tile, k, row, vector, lane)
        sch.reverse_compute_at(copy, row_tile)
        if padded_a is not None and batch:
            sch.compute_at(padded_a, batch[-1])
        if packed_b is not None:
            sch.compute_at(packed_b, column_tile)
            self._schedule_packing(packed_b)
        sch.unroll(row)
        sch.unroll(vector)
        sch.vectorize(lane)
        self._vectorize(copy)
        if padded_a is not None:
            self._vectorize(padded_a)
        outermost = sch.get_loops(block)[0]
        sch.parallel(outermost)
        init = sch.decompose_reduction(block, k)
        *_, init_row, init_vector, init_lane = sch.get_loops(init)
        sch.unroll(init_row)
        sch.unroll(init_vector)
        sch.vectorize(init_lane)

    def _pad(self) -> tuple[BlockRV | None, BlockRV | None, BlockRV | None]:
        """Make whole tiles; return the blocks that copy A, B and C where they are padded."""
        sch, block = self.sch, self.block
        sizes = {self.product.row: self.tile.rows, self.product.column: self.width}
        before = [[sch.get(each) for each in find(block)] for find in (sch.get_producers, sch.get_consumers)]
        sch.pad_einsum(block, [sizes.get(axis.var, 1) for axis in sch.get(block).iter_vars])
        producers, consumers = (
            [each for each in find(block) if sch.get(each) not in known]
            for find, known in zip((sch.get_producers, sch.get_consumers), before, strict=True)
        )
        reads = {sch.get(each).reads[0].buffer: each for each in producers}
        return reads.get(self.product.a.buffer), reads.get(self.product.b.buffer), next(iter(consumers), None)

    def _pack(self, copy: BlockRV) -> None:
        """Lay out the copy of B by panels of columns."""
        indices = list(self.product.b.indices)
        column, term = indices.index(self.product.column), indices.index(self.product.sum)
        width, batch = self.width, [place for place in range(len(indices)) if place not in (column, term)]
        self.sch.transform_layout(
            copy,
            ("write", 0),
            lambda *axes: (*[axes[place] for place in batch], axes[column] // width, axes[term], axes[column] % width),
        )

    def _schedule_packing(self, copy: BlockRV) -> None:
        """Read B along its rows: as vectors, or where columns are not contiguous, one column after the other."""
        if self.product.b.indices[-1] is self.product.column:
            self._vectorize(copy)
        else:
            *_, term, column = self.sch.get_loops(copy)
            self.sch.reorder(column, term)

    def _vectorize(self, block: BlockRV) -> None:
        """Vectorize the innermost loop of a copy."""
        loops = self.sch.get_loops(block)
        extent = self.sch.get(loops[-1]).extent
        if isinstance(extent, IntImm) and extent.value > self.lanes:
            outer, inner = self.sch.split(loops[-1], [None, self.lanes])
            self.sch.vectorize(inner)
            if extent.value <= self.lanes * _MOST_VECTORS:
                self.sch.unroll(outer)
        else:
            self.sch.vectorize(loops[-1])
