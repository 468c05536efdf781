"""Default schedule of matrix products: any shape, layout and number of batch dimensions.

A model of the core's instructions chooses between tiles of vectors, products of exchanged matrices and dot products.
"""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matmul_plan import Kind, choose_plan
from tvmscript.ir.schedule.default.cpu.matmul_tiles import TileSchedule, find_producer
from tvmscript.ir.schedule.default.cpu.matrix_product import match_matrix_product
from tvmscript.ir.schedule.default.cpu.packed_weights import panel_width
from tvmscript.ir.schedule.default.cpu.panel_layout import PanelLayout
from tvmscript.ir.schedule.default.cpu.skinny import is_skinny
from tvmscript.ir.schedule.default.cpu.steps import Order, find_epilogue
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer

#: rows up to which weights are not worth a layout of their own
_FEW_ROWS: Final = 16
#: bits of floats and integers that vectors are multiplied of, at least
_FLOAT_BITS, _INTEGER_BITS = 8, 16


def schedule_matmul(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None:
        return None
    dtype = product.c.buffer.dtype
    if dtype.bits < (_FLOAT_BITS if dtype.is_floating else _INTEGER_BITS):
        return None
    lanes = model.lanes(dtype.itemsize)
    if lanes == 1:
        return None
    epilogue = find_epilogue(sch, block, Order.INNERMOST)
    panel = panel_width(sch, block, product.b.buffer)
    plan = choose_plan(
        product,
        model,
        dtype.itemsize,
        has_epilogue=epilogue is not None,
        is_b_computed=panel is None and find_producer(sch, block, product.b) is not None,
        panel=panel,
    )
    TileSchedule(sch, block, product, plan, model, epilogue).apply()
    sizes = "x".join(str(product.extents[axis]) for axis in (product.row, product.column, product.sum))
    return f"{sizes}: {plan}"


def choose_panels(sch: Schedule, block: BlockRV, model: MachineModel) -> tuple[Buffer, PanelLayout] | None:
    """Return the weights of a product and the layout that its schedule reads fastest, None if that is theirs."""
    product = match_matrix_product(sch.get(block))
    if product is None or not all(map(product.is_constant, product.axes)):
        return None
    dtype = product.c.buffer.dtype
    is_alike = product.a.buffer.dtype is product.b.buffer.dtype is dtype
    lanes = model.lanes(dtype.itemsize)
    if not dtype.is_floating or dtype.bits < 32 or lanes == 1 or not is_alike:
        return None
    if any(is_skinny(each, model, _FEW_ROWS) for each in (product, product.swapped())):
        return None
    plan = choose_plan(product, model, dtype.itemsize, has_epilogue=True, panel=0)
    if plan.kind is not Kind.TILES or not plan.packs_b:
        return None
    indices = [*product.b.indices]
    column, term = indices.index(product.column), indices.index(product.sum)
    batch = tuple([place for place in range(len(indices)) if place not in (column, term)])
    return product.b.buffer, PanelLayout(batch, column, (term,), plan.vectors * lanes)
