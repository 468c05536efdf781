"""TVM's spelling of what can be known about programs: `tvm.tir.analysis.verify_ssa(func)`, ..."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.analysis.access.out_of_bounds import Finding, Verdict, check_bounds
from tvmscript.ir.analysis.access.races import Race, RaceReport, check_races
from tvmscript.ir.analysis.blocks.block_access import access_regions, read_write_regions
from tvmscript.ir.analysis.blocks.block_dependence import BlockDependenceInfo
from tvmscript.ir.analysis.cost.flops import estimate_tir_bytes, estimate_tir_flops, find_anchor_block
from tvmscript.ir.analysis.memory.allocated_bytes import (
    calculate_allocated_bytes,
    calculate_constant_bytes,
    calculate_workspace_bytes,
)
from tvmscript.ir.analysis.memory.buffer_lca import detect_buffer_access_lca
from tvmscript.ir.analysis.purity import assert_pure_function, is_pure_function
from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.analysis.verify.gpu_code import verify_gpu_code
from tvmscript.ir.analysis.verify.memory import verify_memory
from tvmscript.ir.analysis.verify.ssa import verify_ssa
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import IRError, IRModule
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.tir import Block, Buffer, BufferRegion, PrimFunc, Var
from tvmscript.ir.tir.side_effect import effect_of as side_effect
from tvmscript.ir.tir.verify import verify
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.checks.oob_checker import OOBChecker
from tvmscript.ir.transform.registry import get_pass

__all__ = [
    "BlockDependenceInfo",
    "Finding",
    "OOBChecker",
    "Race",
    "RaceReport",
    "Verdict",
    "assert_pure_function",
    "calculate_allocated_bytes",
    "calculate_constant_bytes",
    "calculate_workspace_bytes",
    "check_bounds",
    "check_races",
    "detect_buffer_access_lca",
    "estimate_tir_bytes",
    "estimate_tir_flops",
    "expr_deep_equal",
    "find_anchor_block",
    "get_block_access_region",
    "get_block_read_write_region",
    "get_vtcm_compaction_passes",
    "is_pure_function",
    "side_effect",
    "undefined_vars",
    "verify_gpu_code",
    "verify_memory",
    "verify_ssa",
    "verify_well_formed",
]


def get_block_access_region(block: Block, buffer_var_map: Mapping[Var, Buffer]) -> list[list[BufferRegion]]:
    """Return the regions that a block reads, those that it writes, and the buffers whose address it uses."""
    return [list(regions) for regions in access_regions(block, dict(buffer_var_map))]


def get_block_read_write_region(block: Block, buffer_var_map: Mapping[Var, Buffer]) -> list[list[BufferRegion]]:
    """Return the regions that a block reads and those that it writes; buffers whose address it uses are in both."""
    return [list(regions) for regions in read_write_regions(block, dict(buffer_var_map))]


def verify_well_formed(obj: PrimFunc | IRModule, assert_mode: bool = True) -> bool:
    """Whether a program is well formed; with `assert_mode` the errors are raised."""
    try:
        verify(obj)
    except IRError:
        if assert_mode:
            raise
        return False
    return True


def get_vtcm_compaction_passes() -> list[Pass]:
    """The passes after which `calculate_allocated_bytes` tells how much VTCM a function needs."""
    return [get_pass(name) for name in _COMPACTION]


_COMPACTION = (
    "tir.LowerInitBlock",
    "tir.PlanAndUpdateBufferAllocationLocation",
    "tir.ConvertBlocksToOpaque",
    "tir.CompactBufferAllocation",
    "tir.LowerMatchBuffer",
    "tir.InjectSoftwarePipeline",
    "tir.LowerOpaqueBlock",
    "tir.FlattenBuffer",
    "tir.Simplify",
    "tir.VectorizeLoop",
    "tir.StorageRewrite",
)

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
