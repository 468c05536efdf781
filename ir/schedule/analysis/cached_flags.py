"""TVM's `ScheduleState`: the state of a schedule, with the cached flags of its blocks."""

from __future__ import annotations

from typing import NamedTuple

from tvmscript.ir.analysis.blocks.block_dependence import BlockDependenceInfo, BlockScope
from tvmscript.ir.core import IRModule
from tvmscript.ir.schedule.analysis.block_properties import covers_region, is_affine_binding, is_stage_pipeline
from tvmscript.ir.schedule.state import State
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import PrimFunc


class CachedFlags(NamedTuple):
    """Properties of a block: affine bindings, all reads covered by earlier writes, children form a stage pipeline."""

    affine_binding: bool
    region_cover: bool
    stage_pipeline: bool


class ScheduleState(State):
    """The state of a schedule, with queries about blocks. A function alone is the `main` of a module.

    `debug_mask` is TVM's choice of checks of cached flags; flags are computed on each query here.
    """

    def __init__(self, mod: IRModule | PrimFunc, *, debug_mask: str | int = "none", enable_check: bool = True) -> None:
        super().__init__(IRModule({"main": mod}) if isinstance(mod, PrimFunc) else mod, enable_check)

    def flags(self, block_sref: StmtRef) -> CachedFlags:
        """Return the cached flags of a block."""
        return CachedFlags(is_affine_binding(block_sref), covers_region(block_sref), is_stage_pipeline(block_sref))

    def get_block_scope(self, block_sref: StmtRef) -> BlockScope:
        """Return the blocks directly in a block, and their dependences."""
        info = BlockDependenceInfo(self.mod)
        return info.get_block_scope(info.stmt2ref[block_sref.block])

    #: TVM's name of `flags`
    _get_cached_flags = flags
