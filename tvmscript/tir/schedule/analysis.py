"""TVM's module `tvm.tir.schedule.analysis`: what the steps of a schedule depend on."""

from __future__ import annotations

from tvmscript.ir.core.visit import nodes
from tvmscript.ir.schedule.analysis import block_properties
from tvmscript.ir.schedule.analysis.suggest_index_map import suggest_index_map
from tvmscript.ir.schedule.analysis.tensorize_mapping import TensorizeInfo, tensorize_loop_mapping
from tvmscript.ir.tir import Block, PrimFunc
from tvmscript.tir.schedule import BlockRV, Schedule

__all__ = ["TensorizeInfo", "get_tensorize_loop_mapping", "has_block", "is_output_block", "suggest_index_map"]


def get_tensorize_loop_mapping(
    sch: Schedule, block: BlockRV, desc_func: PrimFunc, allow_padding: bool = False
) -> TensorizeInfo | None:
    """Return which loops of a block an intrinsic of this description would replace, None if it does not fit."""
    return tensorize_loop_mapping(sch.place(block), desc_func, allow_padding=allow_padding)


def has_block(sch: Schedule, block_name: str) -> bool:
    """Return whether the program of a schedule has a block of this name."""
    return any(
        isinstance(node, Block) and node.name_hint == block_name
        for func in sch.mod.functions.values()
        for node in nodes(func)
    )


def is_output_block(sch: Schedule, block: BlockRV) -> bool:
    """Return whether a block writes a parameter of its function."""
    return block_properties.is_output_block(sch.place(block))
