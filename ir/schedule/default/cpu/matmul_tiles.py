"""Schedules of matrix products in tiles: the elements of a tile stay in registers while terms are added.

Tiles at the edges are computed whole, with zeros for what is outside of A and B; `pragma_loop_partition_hint` gives
the last rows code of their own, in which LLVM removes the rows that nothing reads.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.inlining import cost_of, is_injective
from tvmscript.ir.schedule.default.cpu.matmul_plan import FEWEST_TRANSPOSED, Kind, Plan
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.packed_weights import inline_if_packed, is_unpacking
from tvmscript.ir.schedule.default.cpu.steps import PARTITION, axis_loops, pad_block, read_index
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Expr, IntImm, PrimFunc, Var

#: vectors of a copied row that are unrolled
_MOST_UNROLLED: Final = 4
#: cost of an epilogue up to which it is unrolled for all vectors of a tile
_MOST_UNROLLED_COST: Final = 16
#: panels from which on the zeros that fill up the last one take no time
_MANY: Final = 32
#: terms that are copied together to panels
_TOGETHER: Final = 8
#: panels from which on threads share them, otherwise they share the rows
_FEW_PANELS: Final = 4


class TileSchedule:
    """The steps of the schedule of one block; `epilogue` consumes its result element by element.

    What other nests shall be merged with has serial loops over the batch and tiles of rows outside of all others.
    """

    def __init__(
        self,
        sch: Schedule,
        block: BlockRV,
        product: MatrixProduct,
        plan: Plan,
        model: MachineModel,
        epilogue: BlockRV | None,
        *,
        is_merged: bool = False,
    ) -> None:
        self.is_merged = is_merged
        self.sch, self.block, self.plan, self.model, self.epilogue = sch, block, plan, model, epilogue
        self.lanes = model.lanes(product.c.buffer.dtype.itemsize)
        self.product = product.swapped() if plan.is_swapped else product
        self.is_dots = plan.kind is Kind.DOTS
        self.width = plan.vectors if self.is_dots else plan.vectors * self.lanes
        #: whether B comes in panels of so many columns
        self.is_b_packed = False
        #: what blocks of terms of A and B are copies of, by their buffers
        self.sources: dict[Buffer, BufferLoad] = {}
        #: the loop over terms, and those inside of it: when the block is scheduled
        self.loop_of_terms: LoopRV
        self.inner: list[LoopRV] = []

    @property
    def rows(self) -> int:
        """The rows of a tile."""
        return self.plan.rows

    def apply(self) -> None:
        """Schedule the block; `decompose` is left to do for what shall be merged."""
        sch, plan = self.sch, self.plan
        if plan.terms:
            self._block_terms()
        block, product = self.block, self.product
        packed_a, packed_b, out = self._pad()
        is_transposed = product.c.indices[-1] is not product.column and product.size(product.row) > 1
        (result,) = sch.get(block).writes
        is_heavy = cost_of(_value(sch.get(out))) > _MOST_UNROLLED_COST
        staged = (
            sch.cache_read(out, read_index(sch, out, result.buffer), "local") if is_transposed or is_heavy else None
        )
        sch.set_scope(block, 0, "local")
        if staged is not None and is_transposed:
            for copy in (block, staged):
                self._move_last(copy, [*product.c.indices], product.column)
        if packed_b is not None:
            self._pack(packed_b, is_a=False)
            if self.is_b_packed and inline_if_packed(sch, packed_b):
                packed_b = None
        if packed_a is not None:
            self._pack(packed_a, is_a=True)
        *batch, i, j, k = axis_loops(sch, block, product.axes).values()
        if plan.terms:  # in order, outside of what threads share
            batch.append(batch.pop(0))
        row_tile, row = sch.split(i, [None, plan.rows])
        if self.is_dots:
            column_tile, vector = sch.split(j, [None, plan.vectors])
            inner = [row, vector]
        else:
            column_tile, vector, lane = sch.split(j, [None, plan.vectors, self.lanes])
            inner = [row, vector, lane]
        is_tall = self._is_tall()
        tiles = [row_tile, column_tile] if is_tall or plan.panels > 1 else [column_tile, row_tile]
        groups: list[LoopRV] = []
        if plan.panels > 1 and not is_tall:
            group, tiles[1] = sch.split(column_tile, [None, plan.panels])
            groups.append(group)
            column_tile = tiles[1]
        sch.reorder(*batch, *groups, *tiles, k, *inner)
        if staged is not None:
            sch.reverse_compute_at(staged, tiles[1])
        sch.reverse_compute_at(out, tiles[1])
        if staged is not None:
            if is_transposed:
                self._transpose(out)
                *_, element, row_of_tile = sch.get_loops(staged)
                sch.reorder(row_of_tile, element)
            elif not self.is_dots:
                self._vectorize(out, is_unrolled=False)
            self._schedule_output(staged)
        for packed, place in (
            (packed_b, [*batch] if self.is_dots or is_tall else [*batch, *(groups or [column_tile])]),
            (packed_a, [*batch]),
        ):
            if packed is None:
                continue
            if place:
                sch.compute_at(packed, place[-1])
            if packed is packed_a and not self.is_dots:
                self._schedule_regrouping(packed)
            elif not self.is_dots:
                self._schedule_packing(packed, is_panel=not is_tall and not groups)
            around = place[:-1] if plan.terms and place[-1] is batch[-1] else place
            if not self.is_merged and all(is_const(sch.get(loop).extent, 1) for loop in around):
                sch.parallel(sch.get_loops(packed)[len(place)])
        for loop in inner[:2]:
            sch.unroll(loop)
        if not self.is_dots:
            sch.vectorize(inner[2])
        if staged is None:
            self._schedule_output(out)
        is_split = {
            row_tile: not self._divides(product.row, plan.rows),
            column_tile: self._has_own_edge(is_grouped=bool(groups)),
        }
        for loop in tiles:
            if is_split[loop]:
                sch.annotate(loop, PARTITION, 1)
        is_in_batch = packed_a is not None or (packed_b is not None and (self.is_dots or is_tall))
        first = (groups or tiles)[0]
        whole = batch[:-1] if plan.terms else batch
        shared = [*whole] if is_split.get(first) or (whole and is_in_batch) or plan.terms else [*whole, first]
        outer = [loop for loop in shared if not is_const(sch.get(loop).extent, 1)]
        if not self.is_merged:
            sch.parallel(sch.fuse(*outer) if len(outer) > 1 else (*outer, first)[0])
        self.loop_of_terms, self.inner = k, inner
        if not self.is_merged:
            self.decompose()

    def _block_terms(self) -> None:
        """Add up blocks of terms, each in a product of its own, and the sums of blocks in an epilogue."""
        sch, block, product, terms = self.sch, self.block, self.product, self.plan.terms
        is_padded = not self._divides(product.sum, terms)
        reads, _ = pad_block(sch, block, {product.sum: terms}) if is_padded else ({}, None)
        (loop,) = axis_loops(sch, block, [product.sum]).values()
        outer, _ = sch.split(loop, [None, terms])
        sums = sch.rfactor(outer, 0)
        for load in (product.a, product.b):
            copy = reads.get(load.buffer) or sch.cache_read(sums, read_index(sch, sums, load.buffer), "global")
            sch.transform_layout(copy, ("write", 0), _axis_splitter(load.indices.index(product.sum), terms))
        of_blocks = match_matrix_product(sch.get(sums))
        assert of_blocks is not None
        self.sources = {of_blocks.a.buffer: product.a, of_blocks.b.buffer: product.b}
        self.block, self.product, self.epilogue = sums, of_blocks, block

    def decompose(self) -> None:
        """Set the elements of a tile to zero in front of the loop over terms."""
        sch = self.sch
        init = sch.decompose_reduction(self.block, self.loop_of_terms)
        loops = sch.get_loops(init)[-len(self.inner) :]
        for loop in loops[:2]:
            sch.unroll(loop)
        if not self.is_dots:
            sch.vectorize(loops[2])

    def _is_tall(self) -> bool:
        """Whether the outer loop is over tiles of rows: A is larger, or columns are too few to share among threads."""
        product = self.product
        rows, columns = product.size(product.row), product.size(product.column)
        if self.is_merged:
            return True
        if self.is_dots:
            return rows > columns
        panels = prod(product.size(axis) for axis in product.batch) * -(-columns // self.width)
        return panels < _FEW_PANELS and -(-rows // self.plan.rows) >= _FEW_PANELS * panels

    def _divides(self, axis: Var, size: int) -> bool:
        extent = self.product.extents[axis]
        return isinstance(extent, IntImm) and extent.value % size == 0

    def _has_own_edge(self, *, is_grouped: bool) -> bool:
        """Whether the last panel gets code of its own: it is narrower than others, or ends with a part of a vector."""
        column = self.product.column
        if self._divides(column, self.width):
            return False
        if is_grouped and self._divides(column, self.lanes) and self.product.size(column) >= _MANY * self.width:
            return False
        return self.is_b_packed or self._has_narrow_edge() or not self.model.has_mask_registers

    def _has_narrow_edge(self) -> bool:
        """Whether the last tile has fewer vectors than the others."""
        extent = self.product.extents[self.product.column]
        last = extent.value % self.width if isinstance(extent, IntImm) else self.width
        return self.is_dots or self.plan.is_swapped or last <= self.width - self.lanes

    def _pad(self) -> tuple[BlockRV | None, BlockRV | None, BlockRV]:
        """Make whole tiles; return the blocks that copy A and B where they are packed, and the one that stores C."""
        sch, block, plan = self.sch, self.block, self.plan
        sizes = {self.product.row: plan.rows, self.product.column: self.width}
        reads, copy_back = pad_block(sch, block, sizes)
        for buffer in reads.keys() - {self.product.a.buffer, self.product.b.buffer}:
            sch.compute_inline(reads[buffer])
        copies: list[BlockRV | None] = []
        for load, is_packed in ((self.product.a, plan.packs_a), (self.product.b, plan.packs_b)):
            copy = reads.get(load.buffer)
            if copy is not None and not is_packed:
                sch.compute_inline(copy)
                copy = None
            elif copy is None and is_packed:
                copy = sch.cache_read(block, read_index(sch, block, load.buffer), "global")
            source = load
            if plan.terms:
                source = self.sources[load.buffer]
                blocked = find_producer(sch, copy or block, load)
                assert blocked is not None
                sch.compute_inline(blocked)
            producer = None if copy is None else find_producer(sch, copy, source)
            self.is_b_packed |= producer is not None and is_unpacking(sch, sch.get(producer))
            if producer is not None:
                sch.compute_inline(producer)
            copies.append(copy)
        out = self.epilogue
        if out is None:
            out = copy_back or sch.cache_write(block, 0, "global")
        elif copy_back is not None:
            sch.compute_inline(copy_back)
        return copies[0], copies[1], out

    def _pack(self, copy: BlockRV, *, is_a: bool) -> None:
        """Lay out a copy by panels of columns, or with contiguous terms for dot products."""
        load, axis = (self.product.a, self.product.row) if is_a else (self.product.b, self.product.column)
        if self.is_dots:
            self._move_last(copy, [*load.indices], self.product.sum)
            return
        indices = [*load.indices]
        column, term = indices.index(axis), indices.index(self.product.sum)
        width = self.plan.rows if is_a else self.width
        batch = [place for place in range(len(indices)) if place not in (column, term)]
        self.sch.transform_layout(
            copy,
            ("write", 0),
            lambda *axes: (*[axes[place] for place in batch], axes[column] // width, axes[term], axes[column] % width),
        )

    def _move_last(self, block: BlockRV, indices: list[Expr], axis: Var) -> None:
        """Make the dimension of an axis of the written buffer the contiguous one."""
        place = indices.index(axis)
        if place < len(indices) - 1:
            self.sch.transform_layout(
                block, ("write", 0), lambda *axes: (*axes[:place], *axes[place + 1 :], axes[place])
            )

    def _schedule_packing(self, copy: BlockRV, *, is_panel: bool) -> None:
        """Read a panel of B or several; where columns are not contiguous, square tiles are transposed in registers."""
        sch, product = self.sch, self.product
        if product.b.indices[-1] is product.column:
            if not is_panel:
                self._read_along_rows(copy, product.column, self.width)
            self._vectorize(copy)
            return
        *_, column, term = sch.get_loops(copy)
        (column_tile, lane), (term_tile, row) = (sch.split(loop, [None, self.lanes]) for loop in (column, term))
        sch.reorder(column_tile, term_tile, row, lane)
        sch.unroll(row)
        sch.vectorize(lane)
        if not self._divides(product.sum, self.lanes):
            sch.annotate(term_tile, PARTITION, 1)

    def _schedule_regrouping(self, copy: BlockRV) -> None:
        """Read the rows of a panel of A together; they are next to each other."""
        self.sch.vectorize(self._read_along_rows(copy, self.product.row, self.plan.rows))

    def _read_along_rows(self, copy: BlockRV, axis: Var, width: int) -> LoopRV:
        """Copy some terms of a panel, and then of the next one, from the same pages; return the loop over a panel."""
        sch = self.sch
        *_, term, along = sch.get_loops(copy)
        (step, few), (panel, inner) = sch.split(term, [None, _TOGETHER]), sch.split(along, [None, width])
        sch.reorder(step, panel, few, inner)
        if not self._divides(axis, width):
            sch.annotate(panel, PARTITION, 1)
        return inner

    def _transpose(self, out: BlockRV) -> None:
        """Store rows of C from the columns of a tile, which the backend transposes in registers."""
        sch = self.sch
        *_, element, row = sch.get_loops(out)
        if self.plan.rows >= FEWEST_TRANSPOSED:
            _, inner = sch.split(element, [None, self.lanes])
            sch.vectorize(row)
            sch.unroll(inner)

    def _schedule_output(self, out: BlockRV) -> None:
        """Unroll a copy of a tile."""
        loops = self.sch.get_loops(out)
        if self.is_dots:
            for loop in loops[-2:]:
                self.sch.unroll(loop)
            return
        self._vectorize(out)
        self.sch.unroll(loops[-2])

    def _vectorize(self, block: BlockRV, *, is_unrolled: bool = True) -> None:
        """Vectorize the innermost loop of a copy."""
        sch = self.sch
        *_, last = sch.get_loops(block)
        extent = sch.get(last).extent
        if isinstance(extent, IntImm) and extent.value <= self.lanes:
            sch.vectorize(last)
            return
        outer, inner = sch.split(last, [None, self.lanes])
        sch.vectorize(inner)
        if is_unrolled and isinstance(extent, IntImm) and extent.value <= self.lanes * _MOST_UNROLLED:
            sch.unroll(outer)


def _axis_splitter(place: int, size: int) -> Callable[..., list[Expr]]:
    """Return a layout that has the number of a block and the place in it instead of one of the axes."""
    return lambda *axes: [*axes[:place], axes[place] // size, axes[place] % size, *axes[place + 1 :]]


def find_producer(sch: Schedule, block: BlockRV, load: BufferLoad) -> BlockRV | None:
    """Return the block that computes what a block loads, element by element, and for nothing else."""
    for producer in sch.get_producers(block):
        stmt = sch.get(producer)
        if stmt.writes[0].buffer is load.buffer and is_injective(stmt) and len(sch.get_consumers(producer)) == 1:
            return None if load.buffer in _arguments(sch) else producer
    return None


def _arguments(sch: Schedule) -> list[Buffer]:
    return [buffer for func in sch.mod.values() if isinstance(func, PrimFunc) for buffer in func.buffer_map.values()]


def _value(block: Block) -> Expr:
    assert isinstance(block.body, BufferStore)
    return block.body.value
