"""Schedule of a product of narrow matrices in tile registers, which hold sums until all terms are added.

Groups of columns have their part of B packed in L2. Rows of A are copied, because rows that cross a cache line take
five times as long to load; not where A is found to be aligned when it runs. The product of the transposed matrices is
computed where its factors are copied faster.
"""

from __future__ import annotations

from math import prod
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.dot_tiles import DotTileSchedule, Tile
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.steps import PARTITION, axis_loops
from tvmscript.ir.schedule.intrinsics.amx import ROWS, SCOPE
from tvmscript.ir.schedule.intrinsics.dot import dot_instructions
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer, Expr, Var
from tvmscript.ir.transform.function_attributes import COPY_UNLESS_ALIGNED

#: columns of a group at most
_GROUP_COLUMNS: Final = 512
#: groups from which on threads share them, otherwise they share the rows
_FEW_GROUPS: Final = 8
#: cycles of a step of four products and as many tiles from L2, of each tile more, and of the rest of the sums
_STEP: Final = 100
_LOAD: Final = 25
_SUMS: Final = 200
#: bytes of a cache line, and cycles of copying one of A (perhaps: where it is not aligned; transposed), of B
#: (transposed), and of transposing C
_LINE: Final = 64
_MAY_COPY: Final = 2
_COPY: Final = 4
_GATHER: Final = 10
_INTERLEAVE: Final = 5
_REGROUP: Final = 8
_TRANSPOSE: Final = 5


def choose_registers(
    sch: Schedule, block: BlockRV, product: MatrixProduct, model: MachineModel
) -> TileRegisterSchedule | None:
    """Return the schedule of a product, or of that of the transposed matrices, that is expected to take least time.

    None where axes would have to change places, and one has a single iteration, which is lost then.
    """
    is_movable = all(product.size(axis) > 1 for axis in product.axes)
    products = (product, product.swapped()) if is_movable else (product,)
    choices = [
        TileRegisterSchedule(sch, block, each, Tile(dot, dot.rows, 1), model)
        for each in products
        for dot in dot_instructions(*each.dtypes, model.dot_features)
    ]
    best = min(choices, key=TileRegisterSchedule.cost)
    # intrinsics have rows before columns
    places = [[axis.var for axis in sch.get(block).iter_vars].index(axis) for axis in best.product.axes]
    if places == sorted(places):
        return best
    if not is_movable:
        return None
    sch.transform_block_layout(block, lambda *axes: [axes[place] for place in places])
    ordered = match_matrix_product(sch.get(block))
    assert ordered is not None
    return TileRegisterSchedule(sch, block, ordered.swapped() if best.is_transposed else ordered, best.tile, model)


class TileRegisterSchedule(DotTileSchedule):
    """The steps of the schedule of one block.

    What other nests shall be merged with has serial loops over the batch and tiles of rows outside of all others, and
    reads A where it is.
    """

    def __init__(
        self,
        sch: Schedule,
        block: BlockRV,
        product: MatrixProduct,
        tile: Tile,
        model: MachineModel,
        *,
        is_merged: bool = False,
    ) -> None:
        super().__init__(sch, block, product, tile)
        self.is_merged = is_merged
        #: the loop over steps, and that over rows inside of it: when the block is scheduled
        self.step: LoopRV
        self.row: LoopRV
        self.is_transposed = product.c.indices[-1] is not product.column
        self.has_rows_of_terms = product.a.indices[-1] is product.sum
        _, columns, terms = product.sizes
        bytes_of_tile = tile.width * terms * product.b.buffer.dtype.itemsize
        most = max(min(_GROUP_COLUMNS // tile.width, model.l2_bytes // 2 // bytes_of_tile), 1)
        tiles = -(-columns // tile.width)
        #: tiles of a group of columns
        self.tiles = min(range(1, min(most, tiles) + 1), key=lambda tiles: (self._cost_in_groups(tiles), -tiles))
        self.width = self.tiles * tile.width

    def cost(self) -> float:
        """Return about how many cycles a product takes."""
        return self._cost_in_groups(self.tiles)

    def _cost_in_groups(self, tiles: int) -> float:
        """Return the cycles with so many tiles in a group: padding groups of columns copies B once more."""
        (rows, columns, terms), tile = self.product.sizes, self.tile
        groups, steps = self._groups_of(tiles), -(-terms // self.dot.depth)
        lines_of_c = -(-4 * rows * columns // _LINE)
        is_padded = columns % (tiles * tile.width) or terms % self.dot.depth
        is_aligned = self._has_aligned_rows() and (rows % tile.rows == 0 or self._has_many_rows())
        copy_a = _MAY_COPY if is_aligned else _COPY if self.has_rows_of_terms else _GATHER
        copy_b = _REGROUP if self.product.b.indices[-1] is self.product.sum else _INTERLEAVE
        copies = groups * rows * steps * copy_a + columns * steps * (copy_b + (_COPY if is_padded else 0))
        transposes = lines_of_c * _TRANSPOSE if self.is_transposed else 0
        loads = (tile.rows + tile.width) // ROWS
        computed = -(-rows // tile.rows) * groups * tiles
        return computed * (steps * (_STEP + (loads - 4) * _LOAD) + _SUMS) + copies + transposes

    def _groups_of(self, tiles: int) -> int:
        """Return the number of groups of so many tiles."""
        return -(-self.product.sizes[1] // (tiles * self.tile.width))

    @property
    def groups(self) -> int:
        """The number of groups of columns."""
        return self._groups_of(self.tiles)

    def apply(self) -> None:
        """Schedule the block."""
        sch, block, tile, dot, product = self.sch, self.block, self.tile, self.dot, self.product
        padded_a, padded_b, outputs = self._pad()
        copy_of_a = None if self.is_merged and self._may_be_aligned(padded_a) else self._copy_a(padded_a)
        packed = self._pack()
        *batch, i, j, k = axis_loops(sch, block, product.axes).values()
        row_tile, row = sch.split(i, [None, tile.rows])
        tiles = 1 if self.is_merged else self.tiles
        group, column_tile, lane = sch.split(j, [None, tiles, dot.lanes])
        step, term = sch.split(k, [None, dot.depth])
        outer = [row_tile, group] if self.is_merged else [group, row_tile]
        sch.reorder(*batch, *outer, column_tile, step, row, lane, term)
        self.step, self.row = step, row
        self._schedule_outputs(outputs, column_tile)
        place = group if not self.is_merged else batch[-1] if batch else None
        if packed is not None:
            if place is not None:
                sch.compute_at(packed, place)
            group_of_terms = self._schedule_packing(packed)
            if padded_b is not None:
                sch.compute_at(padded_b, group_of_terms)
                self._vectorize(padded_b, 64)
        if copy_of_a is not None:
            # what a single tile reads stays in L1
            is_single = self.tiles == 1 and not self.is_merged
            self._schedule_copies_of_a(copy_of_a, padded_a, step if is_single else row_tile)
        if self.is_merged:
            return
        if padded_a is not None and self._may_be_aligned(padded_a):
            sch.annotate(row_tile, PARTITION, 1)
        batches = prod(product.size(axis) for axis in product.batch)
        if batches * self.groups >= _FEW_GROUPS or product.size(product.row) <= tile.rows:
            sch.parallel(sch.fuse(*batch, group) if batch else group)
        else:
            sch.parallel(row_tile)
        self.decompose()

    def decompose(self) -> None:
        """Set the sums of a tile to zero in front of the loop over steps, and add products by instructions."""
        init = self.sch.decompose_reduction(self.block, self.step)
        self.sch.tensorize(self.sch.get_loops(init)[-2], f"amx_fill_{self._sums}")
        self.sch.tensorize(self.row, f"{self.dot.name}_swapped" if self.is_swapped else self.dot.name)

    @property
    def _sums(self) -> str:
        """The shape and dtype of the sums of a tile, in names of intrinsics."""
        return f"{self.tile.rows}x{self.dot.lanes}_{self.dot.dtypes[2]}"

    def _copy_a(self, padded_a: BlockRV | None) -> BlockRV:
        """Copy A so that the rows of a step are contiguous."""
        copy = padded_a if self.has_rows_of_terms else None
        copy = copy or self.sch.cache_read(self.block, self.index_of_a, "global", [self.block])
        if self._may_be_aligned(padded_a):
            return copy
        row, term = ([*self.product.a.indices].index(axis) for axis in (self.product.row, self.product.sum))
        depth = self.dot.depth

        def layout(*axes: Var) -> list[Expr]:
            batch = [axis for place, axis in enumerate(axes) if place not in (row, term)]
            return [*batch, axes[term] // depth, axes[row], axes[term] % depth]

        self.sch.transform_layout(copy, ("write", 0), layout)
        return copy

    def _may_be_aligned(self, padded_a: BlockRV | None) -> bool:
        """Return whether A may be read where it is: whole tiles of it where the last one is padded."""
        has_whole_tiles = padded_a is None or (self._has_many_rows() and not self.is_merged)
        return has_whole_tiles and self._has_aligned_rows()

    def _has_many_rows(self) -> bool:
        """Return whether there is a loop over whole tiles of rows."""
        return self.product.sizes[0] > 2 * self.tile.rows

    def _has_aligned_rows(self) -> bool:
        """Return whether all rows of A begin at cache lines where the first one does, and follow each other."""
        terms, bits, indices = self.product.sizes[2], self.product.a.buffer.dtype.bits, self.product.a.indices
        are_neighbours = self.has_rows_of_terms and indices[-2] is self.product.row
        return are_neighbours and terms * bits // 8 % _LINE == 0

    def _schedule_copies_of_a(self, copy: BlockRV, padded: BlockRV | None, place: LoopRV) -> None:
        """Copy what a tile reads, groups of terms together; where rows are not contiguous, transpose them."""
        sch, depth = self.sch, self.dot.depth
        sch.compute_at(copy, place)
        if self.has_rows_of_terms:
            self._vectorize(copy, depth)
            if self._may_be_aligned(padded):
                loops = sch.get_loops(copy)
                outer = [sch.get(loop) for loop in loops].index(sch.get(place))
                sch.annotate(loops[outer + 1], COPY_UNLESS_ALIGNED, _LINE)
            return
        if padded is not None:
            sch.compute_at(padded, place)
            self._vectorize(padded, 64)
        row, term = self._loops_of(copy, self.product.a, self.product.row, self.product.sum)
        (step, inner_term), (part, inner_row) = sch.split(term, [None, depth]), sch.split(row, [None, ROWS])
        sch.reorder(step, part, inner_term, inner_row)
        sch.tensorize(inner_term, f"gather_{ROWS}_{self.product.a.buffer.dtype}")

    def _stage_output(self, copy: BlockRV | None, epilogue: BlockRV | None) -> list[BlockRV]:
        """Keep sums in registers; return the block that stores them, and what reads them from memory then."""
        sch, block, column = self.sch, self.block, [*self.product.c.indices].index(self.product.column)
        if epilogue is not None and copy is not None:
            sch.compute_inline(copy)
        output = epilogue or copy
        if output is None and self.is_transposed:
            output = sch.cache_write(block, 0, "global")
        stored = sch.cache_write(block, 0, SCOPE)
        if output is None:
            return [stored]
        sch.set_scope(stored, 0, "local")
        if self.is_transposed:

            def layout(*axes: Var) -> list[Expr]:
                return [*axes[:column], *axes[column + 1 :], axes[column]]

            for each in (block, stored):
                sch.transform_layout(each, ("write", 0), layout)
            sch.transform_block_layout(stored, layout)
        return [stored, output]

    def _schedule_outputs(self, outputs: list[BlockRV], place: LoopRV) -> None:
        """Store the sums of a tile, and compute what reads them by vectors."""
        sch = self.sch
        for output in outputs:
            sch.reverse_compute_at(output, place)
        stored, *others = outputs
        sums = sch.get(stored).writes[0].buffer
        sch.tensorize(sch.get_loops(stored)[-2], f"amx_store_{self._sums}_{sums.storage_scope}")
        for output in others:
            self._store(output, sums)

    def _store(self, output: BlockRV, sums: Buffer) -> None:
        """Compute what reads the stored sums of a tile by vectors."""
        if self.is_transposed:
            *_, column, along = self.sch.get_loops(output)
            self._transpose(output, column, along)
        else:
            self._vectorize(output, 2 * ROWS)  # a cache line of results of 16 bits

    def _transpose(self, block: BlockRV, few: LoopRV, along: LoopRV) -> None:
        """Store vectors along one loop, as many as they have lanes."""
        sch = self.sch
        (outer, few), (part, lane) = sch.split(few, [None, ROWS]), sch.split(along, [None, ROWS])
        sch.reorder(outer, part, few, lane)
        sch.unroll(few)
        sch.vectorize(lane)
