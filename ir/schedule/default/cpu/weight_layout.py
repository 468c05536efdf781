"""Choose the layouts in which kernels read their weights fastest."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu import conv, dot_product, matmul, narrow_convolution, vector_products
from tvmscript.ir.schedule.default.cpu.normal_form import normalize
from tvmscript.ir.schedule.default.cpu.panel_layout import PACKED, WeightLayout
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import BlockRealize, PrimFunc
from tvmscript.ir.transform.function_attributes import is_scheduled

#: of a block and the facts of the machine: its weights, and their layout
_CHOICES: Final = (
    vector_products.choose_rows,
    dot_product.choose_groups,
    matmul.choose_panels,
    narrow_convolution.choose_layout,
    conv.choose_panels,
)


def choose_weight_layouts(func: PrimFunc, target: str) -> dict[int, WeightLayout]:
    """Return layouts for the arguments of an unscheduled function that its default schedule would copy into panels.

    Only one block reads such an argument.
    """
    if (
        PACKED in func.attrs
        or is_scheduled(func)
        or not is_unscheduled(func)
        or not isinstance(func.body, BlockRealize)
    ):
        return {}
    model = machine_model(target)
    normal = normalize(func)
    assert isinstance(normal.body, BlockRealize)
    places = {
        normal.buffer_map[param]: place for place, param in enumerate(normal.params) if param in normal.buffer_map
    }
    sch = Schedule(IRModule({"main": normal}))
    blocks = sch.get_child_blocks(sch.get_block(normal.body.block.name_hint))
    layouts: dict[int, WeightLayout] = {}
    for block in blocks:
        for choose in _CHOICES:
            choice = choose(sch, block, model)
            if choice is None or choice[0] not in places:
                continue
            weights, layout = choice
            readers = [each for each in blocks if any(region.buffer is weights for region in sch.get(each).reads)]
            if len(readers) == 1:
                layouts[places[weights]] = layout
            break
    return layouts
