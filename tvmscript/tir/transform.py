"""TVM's spelling of the passes of the tensor level: `tvm.tir.transform.LowerInitBlock()(mod)`."""

from __future__ import annotations

from tvmscript.ir.transform.registry import (
    CompactBufferAllocation,
    ConvertBlocksToOpaque,
    FlattenBuffer,
    LowerInitBlock,
    LowerMatchBuffer,
    LowerOpaqueBlock,
    PlanAndUpdateBufferAllocationLocation,
    RemoveNoOp,
    Simplify,
    StorageRewrite,
    UnrollLoop,
    VectorizeLoop,
)

__all__ = [
    "CompactBufferAllocation",
    "ConvertBlocksToOpaque",
    "FlattenBuffer",
    "LowerInitBlock",
    "LowerMatchBuffer",
    "LowerOpaqueBlock",
    "PlanAndUpdateBufferAllocationLocation",
    "RemoveNoOp",
    "Simplify",
    "StorageRewrite",
    "UnrollLoop",
    "VectorizeLoop",
]
