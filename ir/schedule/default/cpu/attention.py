"""Default schedule of products whose left factor is computed from rows of another product, such as attention.

Some rows of the first product, what is computed from them, and these rows of the second product follow each other:
what is between the products stays in a cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.dot_tiles import Tile
from tvmscript.ir.schedule.default.cpu.inlining import is_injective
from tvmscript.ir.schedule.default.cpu.matmul_plan import Plan, choose_plan
from tvmscript.ir.schedule.default.cpu.matmul_tiles import TileSchedule, find_producer
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.rows import find_stages
from tvmscript.ir.schedule.default.cpu.steps import Order, find_epilogue
from tvmscript.ir.schedule.default.cpu.tile_registers import TileRegisterSchedule
from tvmscript.ir.schedule.intrinsics.dot import dot_instructions
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule

#: rows of a tile of both products
_ROWS: Final = range(4, 9)
#: iterations of the loops over the batch from which on threads share these, otherwise the rows
_FEW: Final = 4


@dataclass(frozen=True)
class _Factor:
    """A product, and the block that consumes it element by element."""

    block: BlockRV
    product: MatrixProduct
    epilogue: BlockRV | None


@dataclass(frozen=True)
class _Chain:
    """Two products, and between them stages of rows, the last of which is the left factor of the second one."""

    first: _Factor
    rows: BlockRV
    stages: list[BlockRV]
    second: _Factor


def schedule_attention(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block with those that it is computed from; return what was chosen, None if the rule is not for it.

    Raises `ScheduleError`.
    """
    chain = _match(sch, block, model)
    tiles = None if chain is None else _choose_tiles(sch, chain, model)
    if chain is None or tiles is None:
        return None
    count, rows = len(chain.second.product.batch), tiles[0].rows
    nests: list[list[LoopRV]] = []
    for each in tiles:
        each.apply()
        nests.append(sch.get_loops(each.block)[: count + 1])
    nests.insert(1, _schedule_rows(sch, chain, count, rows))
    batch = [sch.merge(*[nest[count - 1] for nest in nests])] if count else []
    tile = sch.merge(*[nest[count] for nest in nests])
    outer = sch.get_loops(chain.second.block)[:count] if batch else []
    sizes = chain.second.product
    is_shared = prod(sizes.size(axis) for axis in sizes.batch) >= _FEW
    sch.parallel((sch.fuse(*outer) if len(outer) > 1 else outer[0]) if is_shared else tile)
    for each in tiles:
        each.decompose()
    return f"tiles of {rows} rows through {len(chain.stages) + 1} stages between products"


def _match(sch: Schedule, block: BlockRV, model: MachineModel) -> _Chain | None:
    """Return the chain that ends with a block, None where it is none, or what is between the products is small."""
    product = match_matrix_product(sch.get(block))
    if product is None or not product.c.buffer.dtype.is_floating or not all(map(product.is_constant, product.axes)):
        return None
    rows = [each for each in sch.get_producers(block) if sch.get(each).writes[0].buffer is product.a.buffer]
    if len(rows) != 1 or not is_injective(sch.get(rows[0])) or len(sch.get_consumers(rows[0])) != 1:
        return None
    stages = find_stages(sch, rows[0])
    products = [stage for stage in stages if match_matrix_product(sch.get(stage)) is not None]
    between = prod(product.size(axis) for axis in (*product.batch, product.row, product.sum))
    if len(products) != 1 or between * product.c.buffer.dtype.itemsize <= model.l2_bytes:
        return None
    first = match_matrix_product(sch.get(products[0]))
    if first is None or first.c.buffer.dtype is not product.c.buffer.dtype:
        return None
    if len(first.batch) != len(product.batch) or first.size(first.row) != product.size(product.row):
        return None
    factor = _Factor(products[0], first, find_epilogue(sch, products[0], Order.INNERMOST))
    own = {sch.get(each) for each in (factor.block, factor.epilogue) if each is not None}
    inner = [stage for stage in stages if sch.get(stage) not in own]
    return _Chain(factor, rows[0], inner, _Factor(block, product, find_epilogue(sch, block, Order.INNERMOST)))


def _choose_tiles(
    sch: Schedule, chain: _Chain, model: MachineModel
) -> Sequence[TileSchedule | TileRegisterSchedule] | None:
    """Return the schedules of both products, in tiles of the same rows; None if these have no such tiles."""
    factors = (chain.first, chain.second)
    dots = dot_instructions(*chain.first.product.dtypes, model.dot_features)
    if dots:
        square = [dot for dot in dots if dot.uses_tiles and dot.rows == dot.lanes]
        is_whole = all(
            size % dot.lanes == 0 for dot in square for factor in factors for size in factor.product.sizes
        ) and all(factor.product.dtypes == chain.first.product.dtypes for factor in factors)
        if not square or not is_whole:
            return None
        tile = Tile(square[0], square[0].rows, 1)
        return [TileRegisterSchedule(sch, each.block, each.product, tile, model, is_merged=True) for each in factors]
    plans = _choose_plans(sch, chain, model)
    return plans and [
        TileSchedule(sch, factor.block, factor.product, plan, model, factor.epilogue, is_merged=True)
        for factor, plan in zip(factors, plans, strict=True)
    ]


def _choose_plans(sch: Schedule, chain: _Chain, model: MachineModel) -> tuple[Plan, Plan] | None:
    """Return the plans of both products with the same rows that cost least, None if no number of rows divides them."""
    factors = (chain.first, chain.second)
    rows = chain.second.product.size(chain.second.product.row)
    element_bytes = chain.second.product.c.buffer.dtype.itemsize
    choices = [
        [
            choose_plan(
                factor.product,
                model,
                element_bytes,
                has_epilogue=factor.epilogue is not None,
                is_b_computed=find_producer(sch, factor.block, factor.product.b) is not None,
                rows=count,
            )
            for factor in factors
        ]
        for count in _ROWS
        if rows % count == 0
    ]
    if not choices or model.lanes(element_bytes) == 1:
        return None
    first, second = min(choices, key=lambda plans: sum(plan.cost for plan in plans))
    return first, second


def _schedule_rows(sch: Schedule, chain: _Chain, count: int, rows: int) -> list[LoopRV]:
    """Compute the stages of a row one after the other; return the loops over the batch and tiles of rows."""
    *batch, row, _ = sch.get_loops(chain.rows)
    tile, inner = sch.split(row, [None, rows])
    for stage in chain.stages:
        sch.compute_at(stage, inner)
    return [*batch, tile][: count + 1]
