"""Default schedule of products of narrow matrices: which instruction for dot products adds up which tiles."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.dot_tiles import DotTileSchedule, Patches, Tile
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.panel_layout import GroupLayout
from tvmscript.ir.schedule.default.cpu.patch_tiles import PatchSchedule
from tvmscript.ir.schedule.default.cpu.tile_registers import choose_registers
from tvmscript.ir.schedule.intrinsics.dot import DotInstruction, dot_instructions
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer, IntImm

#: rows of tiles, and vectors of their rows, at most
_MOST_ROWS: Final = 8
_MOST_VECTORS: Final = 4
#: terms that fill a small part of an instruction's
_FEW_TERMS: Final = 4
#: the work of starting a tile, in instructions
_TILE_COST: Final = 30


def schedule_dot_product(
    sch: Schedule, block: BlockRV, model: MachineModel, patches: Patches | None = None
) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`.

    `patches` are the rows of A where they are parts of a tensor that may overlap; tile registers gather them.
    """
    schedule = choose_schedule(sch, block, model, patches)
    if schedule is None:
        return None
    schedule.apply()
    (rows, columns, terms), tile = schedule.product.sizes, schedule.tile
    return f"{rows}x{columns}x{terms}: {tile.dot.name} on tiles of {tile.rows} rows and {tile.vectors} vectors"


def choose_groups(sch: Schedule, block: BlockRV, model: MachineModel) -> tuple[Buffer, GroupLayout] | None:
    """Return B of a product and the layout that its schedule packs it in, None if the rule is not for it.

    None, too, where `signed_products.py` makes another product of it.
    """
    if match_matrix_product(sch.get(block)) is None:
        return None
    schedule = choose_schedule(sch.copy(), block, model, None)
    if schedule is None or (schedule.dot.rows and not schedule.dot.uses_tiles):
        return None
    weights, indices = schedule.product.b.buffer, [*schedule.product.b.indices]
    column, term = (indices.index(axis) for axis in (schedule.product.column, schedule.product.sum))
    leading = tuple([place for place in range(len(indices)) if place not in (column, term)])
    layout = schedule.layout_of_b(weights.shape, leading, (column,), (term,))
    return None if layout is None else (weights, layout)


def choose_schedule(
    sch: Schedule, block: BlockRV, model: MachineModel, patches: Patches | None
) -> DotTileSchedule | None:
    """Return the schedule of a block, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None:
        return None
    dots = dot_instructions(*product.dtypes, model.dot_features)
    if not dots or not all(isinstance(extent, IntImm) for extent in product.extents.values()):
        return None
    if _is_vector_of_dots(product) or product.sizes[2] <= _FEW_TERMS:
        return None
    if dots[0].uses_tiles and patches is not None:
        tiles = [Tile(dot, dot.rows, 1) for dot in dots]
        return min([PatchSchedule(sch, block, product, tile, model, patches) for tile in tiles], key=PatchSchedule.cost)
    if dots[0].uses_tiles:
        return choose_registers(sch, block, product, model)
    return DotTileSchedule(sch, block, product, _choose_tile(product, dots, model.vector_registers))


def _is_vector_of_dots(product: MatrixProduct) -> bool:
    """Whether rows of a matrix are multiplied by a vector, each on its own: nothing is used twice."""
    rows, columns, _ = product.sizes
    matrix = product.b if rows == 1 else product.a
    return min(rows, columns) == 1 and matrix.indices[-1] is product.sum


def _choose_tile(product: MatrixProduct, dots: list[DotInstruction], registers: int) -> Tile:
    tiles = [Tile(dot, dot.rows, 1) for dot in dots if dot.rows]
    tiles += [
        Tile(dot, rows, vectors)
        for dot in dots
        if not dot.rows
        for rows in range(1, _MOST_ROWS + 1)
        for vectors in range(1, _MOST_VECTORS + 1)
        if rows * vectors + vectors + 2 <= registers
    ]
    return min(tiles, key=lambda tile: _cost(tile, *product.sizes))


def _cost(tile: Tile, rows: int, columns: int, terms: int) -> float:
    """Return about how many instructions a product takes."""
    dot, tiles = tile.dot, -(-rows // tile.rows) * -(-columns // tile.width)
    step = tile.rows * tile.vectors + 0.5 * (tile.rows + tile.vectors)
    if dot.rows:
        # rows share a product with constants; A is changed, and the rest is subtracted from C, once for a tile
        step = 2.0 * (tile.rows + 1) + tile.rows * dot.terms * 4.0 / dot.depth
    return tiles * (-(-terms // dot.depth) * dot.depth // dot.terms * step + _TILE_COST)
