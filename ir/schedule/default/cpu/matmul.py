"""Default schedule of matrix products: any shape, layout and number of batch dimensions.

A model of the core's instructions chooses between tiles of vectors, products of exchanged matrices and dot products.
"""

from __future__ import annotations

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matmul_plan import choose_plan
from tvmscript.ir.schedule.default.cpu.matmul_tiles import TileSchedule, find_producer
from tvmscript.ir.schedule.default.cpu.matrix_product import match_matrix_product
from tvmscript.ir.schedule.default.cpu.steps import find_epilogue
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule


def schedule_matmul(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None:
        return None
    dtype = product.c.buffer.dtype
    if not dtype.is_floating or dtype.bits < 8:
        return None
    lanes = model.lanes(dtype.bits // 8)
    if lanes == 1:
        return None
    epilogue = find_epilogue(sch, block, keeps_order=False)
    plan = choose_plan(
        product,
        model,
        dtype.bits // 8,
        has_epilogue=epilogue is not None,
        is_b_computed=find_producer(sch, block, product.b) is not None,
    )
    TileSchedule(sch, block, product, plan, lanes, epilogue).apply()
    sizes = "x".join(str(product.extents[axis]) for axis in (product.row, product.column, product.sum))
    return f"{sizes}: {plan}"
