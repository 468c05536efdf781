"""All passes: importing this module registers them by name."""

from __future__ import annotations

from tvmscript.ir.transform.base import Pass, PrimFuncPass, Sequential, get_pass
from tvmscript.ir.transform.compact_buffer_allocation import CompactBufferAllocation
from tvmscript.ir.transform.convert_blocks_to_opaque import ConvertBlocksToOpaque
from tvmscript.ir.transform.flatten_buffer import FlattenBuffer
from tvmscript.ir.transform.lower_init_block import LowerInitBlock
from tvmscript.ir.transform.lower_match_buffer import LowerMatchBuffer
from tvmscript.ir.transform.lower_opaque_block import LowerOpaqueBlock
from tvmscript.ir.transform.plan_and_update_buffer_allocation_location import PlanAndUpdateBufferAllocationLocation
from tvmscript.ir.transform.remove_no_op import RemoveNoOp
from tvmscript.ir.transform.simplify import Simplify
from tvmscript.ir.transform.storage_rewrite import StorageRewrite
from tvmscript.ir.transform.unroll_loop import UnrollLoop
from tvmscript.ir.transform.vectorize_loop import VectorizeLoop

__all__ = [
    "CompactBufferAllocation",
    "ConvertBlocksToOpaque",
    "FlattenBuffer",
    "LowerInitBlock",
    "LowerMatchBuffer",
    "LowerOpaqueBlock",
    "Pass",
    "PlanAndUpdateBufferAllocationLocation",
    "PrimFuncPass",
    "RemoveNoOp",
    "Sequential",
    "Simplify",
    "StorageRewrite",
    "UnrollLoop",
    "VectorizeLoop",
    "get_pass",
]
