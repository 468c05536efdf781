"""Default schedule of products of narrow matrices: tiles whose elements are added up by instructions for dot products.

B is packed in groups of terms, by panels of columns; A is read where it is. Tiles at the edges are computed whole, with
zeros for what is outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core import nodes
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.steps import (
    axis_loops,
    extent_of,
    find_epilogue,
    pad_block,
    read_index,
    stage_output,
)
from tvmscript.ir.schedule.intrinsics.dot import DotInstruction, dot_instructions
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Expr, IntImm, Var, uses
from tvmscript.ir.tir.expr import Mul

#: rows of tiles, and vectors of their rows, at most
_MOST_ROWS: Final = 8
_MOST_VECTORS: Final = 4
#: the work of starting a tile, in instructions
_TILE_COST: Final = 30


@dataclass(frozen=True)
class _Tile:
    """An instruction, and how many elements of C it computes together."""

    dot: DotInstruction
    rows: int
    vectors: int

    @property
    def width(self) -> int:
        return self.vectors * self.dot.lanes

    def cost(self, rows: int, columns: int, terms: int) -> float:
        """Return about how many instructions a product takes."""
        tiles = -(-rows // self.rows) * -(-columns // self.width)
        step = self.rows * self.vectors + 0.5 * (self.rows + self.vectors)
        if self.dot.rows:
            # rows share a product with constants; A is changed, and the rest is subtracted from C, once for a tile
            step = 2.0 * (self.rows + 1) + self.rows * self.dot.terms * 4.0 / self.dot.depth
        return tiles * (-(-terms // self.dot.depth) * self.dot.depth // self.dot.terms * step + _TILE_COST)


def schedule_dot_product(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None:
        return None
    left, right, total = (str(access.buffer.dtype) for access in (product.a, product.b, product.c))
    dots = dot_instructions(left, right, total, model.dot_features)
    if not dots or not all(isinstance(extent, IntImm) for extent in product.extents.values()):
        return None
    if _is_vector_of_dots(product):
        return None
    tile = _choose_tile(product, dots, model.vector_registers)
    _TileSchedule(sch, block, product, tile).apply()
    rows, columns, terms = product.sizes
    return f"{rows}x{columns}x{terms}: {tile.dot.name} on tiles of {tile.rows} rows and {tile.vectors} vectors"


def _is_vector_of_dots(product: MatrixProduct) -> bool:
    """Whether rows of a matrix are multiplied by a vector, each on its own: nothing is used twice."""
    rows, columns, _ = product.sizes
    matrix = product.b if rows == 1 else product.a
    return min(rows, columns) == 1 and matrix.indices[-1] is product.sum


def _choose_tile(product: MatrixProduct, dots: list[DotInstruction], registers: int) -> _Tile:
    tiles = [_Tile(dot, dot.rows, 1) for dot in dots if dot.rows]
    tiles += [
        _Tile(dot, rows, vectors)
        for dot in dots
        if not dot.rows
        for rows in range(1, _MOST_ROWS + 1)
        for vectors in range(1, _MOST_VECTORS + 1)
        if rows * vectors + vectors + 2 <= registers
    ]
    return min(tiles, key=lambda tile: tile.cost(*product.sizes))


class _TileSchedule:
    """The steps of the schedule of one block."""

    def __init__(self, sch: Schedule, block: BlockRV, product: MatrixProduct, tile: _Tile) -> None:
        self.sch, self.block, self.product, self.tile, self.dot = sch, block, product, tile, tile.dot
        self.index_of_a, self.index_of_b = (read_index(sch, block, load.buffer) for load in (product.a, product.b))
        #: whether the factor from B is the first one
        first = next(node for node in nodes(product.c.value) if isinstance(node, Mul)).a
        self.is_swapped = any(node is product.b for node in (first, *nodes(first)))

    def apply(self) -> None:
        """Schedule the block."""
        sch, block, tile, dot, product = self.sch, self.block, self.tile, self.dot, self.product
        padded_a, padded_b, outputs = self._pad()
        if product.a.indices[-1] is not product.sum:
            padded_a = padded_a or sch.cache_read(block, self.index_of_a, "global", [block])
            self._move_terms_last(padded_a)
        packed = self._pack()
        *batch, i, j, k = axis_loops(sch, block, product.axes).values()
        row_tile, row = sch.split(i, [None, tile.rows])
        column_tile, vector, lane = sch.split(j, [None, tile.vectors, dot.lanes])
        chunk, term = sch.split(k, [None, dot.depth])
        outer, inner = ((vector,), (row, lane, term)) if dot.rows > 1 else ((row, vector), (lane, term))
        sch.reorder(*batch, column_tile, row_tile, chunk, *outer, *inner)
        for output in outputs:
            sch.reverse_compute_at(output, row_tile)
        sch.compute_at(packed, column_tile)
        self._schedule_packing(packed)
        if padded_b is not None:
            sch.compute_at(padded_b, column_tile)
        if padded_a is not None and batch:
            sch.compute_at(padded_a, batch[-1])
        for copy in (padded_a, padded_b):
            if copy is not None:
                self._vectorize(copy, 64)
        for output in outputs:
            *_, tile_row, _ = sch.get_loops(output)
            self._vectorize(output, 16)
            sch.unroll(tile_row)
            sch.unroll(sch.get_loops(output)[-2])
        sch.parallel(sch.get_loops(block)[0])
        init = sch.decompose_reduction(block, chunk)
        *_, first, second, init_lane = sch.get_loops(init)
        for loop in (*outer, first, second):
            sch.unroll(loop)
        sch.vectorize(init_lane)
        sch.tensorize(inner[0], f"{dot.name}_swapped" if self.is_swapped else dot.name)

    def _pad(self) -> tuple[BlockRV | None, BlockRV | None, list[BlockRV]]:
        """Make whole tiles; return the blocks that copy A and B where they are padded, and those that store C."""
        sch, block, product = self.sch, self.block, self.product
        sizes = {product.row: self.tile.rows, product.column: self.tile.width, product.sum: self.dot.depth}
        epilogue = find_epilogue(sch, block, keeps_order=False)
        copies, copy = pad_block(sch, block, sizes)
        outputs = stage_output(sch, block, copy, epilogue, is_direct=True)
        return copies.get(product.a.buffer), copies.get(product.b.buffer), outputs

    def _move_terms_last(self, copy: BlockRV) -> None:
        """Make the terms of the copy of A contiguous."""
        place = [*self.product.a.indices].index(self.product.sum)
        self.sch.transform_layout(copy, ("write", 0), lambda *axes: (*axes[:place], *axes[place + 1 :], axes[place]))

    def _pack(self) -> BlockRV:
        """Copy B by panels of columns, with the terms of a group side by side."""
        sch, dot, indices = self.sch, self.dot, [*self.product.b.indices]
        copy = sch.cache_read(self.block, self.index_of_b, "global", [self.block])
        column, term = indices.index(self.product.column), indices.index(self.product.sum)

        def layout(*axes: Var) -> list[Expr]:
            i, k = axes[column], axes[term]
            groups = [] if dot.depth == dot.terms else [k % dot.depth // dot.terms]
            batch = [axis for place, axis in enumerate(axes) if place not in (column, term)]
            return [*batch, i // dot.lanes, k // dot.depth, *groups, i % dot.lanes, k % dot.terms]

        sch.transform_layout(copy, ("write", 0), layout)
        return copy

    def _schedule_packing(self, copy: BlockRV) -> None:
        """Interleave the rows of a group; where its terms are contiguous, copy them together."""
        sch, dot, indices = self.sch, self.dot, [*self.product.b.indices]
        values = realize_of(sch.block(copy)).iter_values
        loops = {sch.get(loop).loop_var: loop for loop in sch.get_loops(copy)}
        column, term = (
            [loop for var, loop in loops.items() if var in uses(values[indices.index(axis)])][-1]
            for axis in (self.product.column, self.product.sum)
        )
        vector, lane = sch.split(column, [None, dot.lanes])
        words = dot.lanes // 2 if dot.rows else dot.lanes
        is_contiguous = indices[-1] is self.product.sum
        if (
            is_contiguous
            and dot.depth in (dot.terms, 4 * words)
            and extent_of(sch, term) % (4 * words) == 0
            and dot.terms == 4
        ):
            groups, place = sch.split(term, [None, 4 * words])
            sch.reorder(groups, vector, lane, place)
            sch.tensorize(lane, f"regroup_{words}x{dot.lanes}_{self.product.b.buffer.dtype}")
            return
        group, place = sch.split(term, [None, dot.terms])
        if not is_contiguous:
            sch.reorder(group, vector, place, lane)
            sch.tensorize(place, f"interleave_{dot.terms}x{dot.lanes}_{self.product.b.buffer.dtype}")
        else:
            sch.reorder(group, vector, lane, place)
            sch.vectorize(place)

    def _vectorize(self, block: BlockRV, width: int) -> None:
        """Vectorize the innermost loop of a copy."""
        *_, last = self.sch.get_loops(block)
        extent = self.sch.get(last).extent
        if isinstance(extent, IntImm) and extent.value > width:
            _, last = self.sch.split(last, [None, width])
        self.sch.vectorize(last)
