"""Schedule of a product in tile registers whose rows of A are patches of a tensor, as of convolutions.

The patches of a tile are gathered while they are copied for it. Where neighbouring rows of the result are neighbours in
memory, the sums of a tile are transposed in registers before they are stored.
"""

from __future__ import annotations

from math import gcd

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.dot_tiles import Patches, Tile
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct
from tvmscript.ir.schedule.default.cpu.steps import Order, find_epilogue, read_index
from tvmscript.ir.schedule.default.cpu.tile_registers import TileRegisterSchedule
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer


class PatchSchedule(TileRegisterSchedule):
    """The steps of the schedule of one block."""

    def __init__(
        self,
        sch: Schedule,
        block: BlockRV,
        product: MatrixProduct,
        tile: Tile,
        model: MachineModel,
        patches: Patches,
    ) -> None:
        super().__init__(sch, block, product, tile, model)
        self.patches = patches

    def _find_epilogue(self) -> BlockRV | None:
        return find_epilogue(self.sch, self.block, Order.ANY)

    def _has_aligned_rows(self) -> bool:
        return False

    def _schedule_copies_of_a(self, copy: BlockRV, padded: BlockRV | None, place: LoopRV) -> None:
        """Gather the patches of a tile, neighbouring terms together."""
        self.sch.compute_at(copy, place)
        self.sch.compute_inline(self.patches.block)
        self._vectorize(copy, gcd(self.patches.run, self.dot.depth))

    def _store(self, output: BlockRV, sums: Buffer) -> None:
        if not self.patches.stores_rows:
            super()._store(output, sums)
            return
        sch = self.sch
        copy = sch.cache_read(output, read_index(sch, output, sums), "local")
        sch.transform_layout(copy, ("write", 0), lambda row, column: [column, row])
        *_, row, column = sch.get_loops(copy)
        self._transpose(copy, column, row)
        *_, row, column = sch.get_loops(output)
        sch.reorder(column, row)
        super()._store(output, sums)
