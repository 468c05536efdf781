"""Schedule of a product of narrow matrices in tiles, whose elements are added up by instructions for dot products.

B is packed in groups of terms, by panels of columns; A is read where it is. Tiles at the edges are computed whole, with
zeros for what is outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct
from tvmscript.ir.schedule.default.cpu.packed_weights import inline_if_packed, is_unpacking
from tvmscript.ir.schedule.default.cpu.panel_layout import GroupLayout, packed_buffers
from tvmscript.ir.schedule.default.cpu.steps import (
    Order,
    axis_loops,
    extent_of,
    find_epilogue,
    pad_block,
    read_index,
    stage_output,
)
from tvmscript.ir.schedule.intrinsics.dot import DotInstruction
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import BufferLoad, Expr, IntImm, Var, uses
from tvmscript.ir.tir.expr import Mul

#: vectors of a row of a copy that are unrolled: of all but the last one no lane is beyond an edge
_MOST_UNROLLED: Final = 4


@dataclass(frozen=True)
class Tile:
    """An instruction, and how many elements of C it computes together."""

    dot: DotInstruction
    rows: int
    vectors: int

    @property
    def width(self) -> int:
        """The columns of a tile."""
        return self.vectors * self.dot.lanes


@dataclass(frozen=True)
class Patches:
    """Rows of A that a block copies from a tensor, so many neighbouring terms at a time."""

    block: BlockRV
    run: int
    #: whether neighbouring rows of the result, not columns, are neighbours where it is stored
    stores_rows: bool


class DotTileSchedule:
    """The steps of the schedule of one block."""

    def __init__(self, sch: Schedule, block: BlockRV, product: MatrixProduct, tile: Tile) -> None:
        self.sch, self.block, self.product, self.tile, self.dot = sch, block, product, tile, tile.dot
        #: what the columns are padded to a multiple of
        self.width = tile.width
        self.index_of_a, self.index_of_b = (read_index(sch, block, load.buffer) for load in (product.a, product.b))
        #: whether the factor from B is the first one
        first = next(node for node in nodes(product.c.value) if isinstance(node, Mul)).a
        self.is_swapped = any(node is product.b for node in (first, *nodes(first)))

    @property
    def rows(self) -> int:
        """The rows of a tile."""
        return self.tile.rows

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
        if packed is not None:
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
        sizes = {product.row: self.tile.rows, product.column: self.width, product.sum: self.dot.depth}
        epilogue = self._find_epilogue()
        copies, copy = pad_block(sch, block, sizes)
        outputs = self._stage_output(copy, epilogue)
        return copies.get(product.a.buffer), self._move_matrix_last(copies.get(product.b.buffer)), outputs

    def _move_matrix_last(self, copy: BlockRV | None) -> BlockRV | None:
        """Copy B where another dimension is between columns and terms: intrinsics read the innermost two."""
        sch, indices = self.sch, [*self.product.b.indices]
        matrix = sorted(indices.index(axis) for axis in (self.product.column, self.product.sum))
        order = [*[place for place in range(len(indices)) if place not in matrix], *matrix]
        if order == sorted(order):
            return copy
        copy = copy or sch.cache_read(self.block, self.index_of_b, "global", [self.block])
        sch.transform_layout(copy, ("write", 0), lambda *axes: [axes[place] for place in order])
        moved = BufferLoad(sch.get(copy).writes[0].buffer, tuple([indices[place] for place in order]))
        self.product = replace(self.product, b=moved)
        return copy

    def _find_epilogue(self) -> BlockRV | None:
        """Return the block that computes what is stored from each element of the product."""
        return find_epilogue(self.sch, self.block, Order.INNERMOST)

    def _stage_output(self, copy: BlockRV | None, epilogue: BlockRV | None) -> list[BlockRV]:
        """Keep sums in registers; return the blocks that store them."""
        return stage_output(self.sch, self.block, copy, epilogue, is_direct=True)

    def _move_terms_last(self, copy: BlockRV) -> None:
        """Make the terms of the copy of A contiguous."""
        place = [*self.product.a.indices].index(self.product.sum)
        self.sch.transform_layout(copy, ("write", 0), lambda *axes: (*axes[:place], *axes[place + 1 :], axes[place]))

    def layout_of_b(
        self, shape: Sequence[Expr], leading: Sequence[int], columns: Sequence[int], terms: Sequence[int]
    ) -> GroupLayout | None:
        """Return the layout that B is packed in, by these of its dimensions; None where it is padded."""
        sizes = [size.value for size in shape if isinstance(size, IntImm)]
        if self.product.sizes[1] % self.width or self.product.sizes[2] % self.dot.depth or len(sizes) < len(shape):
            return None
        places = tuple(leading), tuple(columns), tuple(terms)
        return GroupLayout(tuple(sizes), *places, self.dot.lanes, self.dot.depth, self.dot.terms)

    def _pack(self) -> BlockRV | None:
        """Copy B by panels of columns, with the terms of a group side by side; None where it is packed."""
        sch, dot, indices = self.sch, self.dot, [*self.product.b.indices]
        copy = sch.cache_read(self.block, self.index_of_b, "global", [self.block])
        column, term = indices.index(self.product.column), indices.index(self.product.sum)

        def layout(*axes: Var) -> list[Expr]:
            i, k = axes[column], axes[term]
            groups = [] if dot.depth == dot.terms else [k % dot.depth // dot.terms]
            batch = [axis for place, axis in enumerate(axes) if place not in (column, term)]
            return [*batch, i // dot.lanes, k // dot.depth, *groups, i % dot.lanes, k % dot.terms]

        sch.transform_layout(copy, ("write", 0), layout)
        for producer in sch.get_producers(copy) if packed_buffers(sch) else ():
            if is_unpacking(sch, sch.get(producer)):
                sch.compute_inline(producer)
                return None if inline_if_packed(sch, copy) else copy
        return copy

    def _schedule_packing(self, copy: BlockRV) -> LoopRV:
        """Interleave the rows of a group; where its terms are contiguous, copy them together. Return the outer loop."""
        sch, dot, indices = self.sch, self.dot, [*self.product.b.indices]
        column, term = self._loops_of(copy, self.product.b, self.product.column, self.product.sum)
        vector, lane = sch.split(column, [None, dot.lanes])
        words = 16 if dot.uses_tiles else dot.lanes // 2 if dot.rows else dot.lanes
        is_contiguous, row = indices[-1] is self.product.sum, dot.terms * words
        is_word = dot.terms * self.product.b.buffer.dtype.bits == 32
        if is_contiguous and is_word and dot.depth % row in (0, dot.terms) and extent_of(sch, term) % row == 0:
            groups, place = sch.split(term, [None, row])
            sch.reorder(groups, vector, lane, place)
            sch.tensorize(lane, f"regroup_{words}x{dot.lanes}_{self.product.b.buffer.dtype}")
            return groups
        group, place = sch.split(term, [None, dot.terms])
        if not is_contiguous:
            sch.reorder(group, vector, place, lane)
            sch.tensorize(place, f"interleave_{dot.terms}x{dot.lanes}_{self.product.b.buffer.dtype}")
        else:
            sch.reorder(group, vector, lane, place)
            sch.vectorize(place)
        return group

    def _loops_of(self, copy: BlockRV, load: BufferLoad, *axes: Var) -> list[LoopRV]:
        """Return the innermost loops over axes around a block that copies what is loaded."""
        sch, indices = self.sch, [*load.indices]
        values = realize_of(sch.block(copy)).iter_values
        loops = {sch.get(loop).loop_var: loop for loop in sch.get_loops(copy)}
        return [[loop for var, loop in loops.items() if var in uses(values[indices.index(axis)])][-1] for axis in axes]

    def _vectorize(self, block: BlockRV, width: int) -> None:
        """Vectorize the innermost loop of a copy."""
        *_, last = self.sch.get_loops(block)
        extent = self.sch.get(last).extent
        if isinstance(extent, IntImm) and extent.value > width:
            vector, last = self.sch.split(last, [None, width])
            if extent.value <= width * _MOST_UNROLLED:
                self.sch.unroll(vector)
        self.sch.vectorize(last)
