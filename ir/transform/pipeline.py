"""From block IR to what a CPU backend compiles: the passes in order, with the reason for each place.

What TVM also runs here and this pipeline leaves to LLVM or to the backend:

- CommonSubexprElimTIR: LLVM finds repeated index arithmetic. (A kernel with six accesses at one three-dimensional
  index compiles to a loop without a single address multiplication.)
- HoistIfThenElse, LoopPartition: LLVM unswitches loops.
- NarrowDataType: 64-bit indices cost nothing on the targets at hand, and narrowing them needs a proof.
- BF16ComputeLegalize, FP8ComputeLegalize and the storage ones: the backend converts narrow floats where it computes.
"""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.blocks.compact_buffer_allocation import CompactBufferAllocation
from tvmscript.ir.transform.blocks.convert_blocks_to_opaque import ConvertBlocksToOpaque
from tvmscript.ir.transform.blocks.lower_init_block import LowerInitBlock
from tvmscript.ir.transform.blocks.lower_match_buffer import LowerMatchBuffer
from tvmscript.ir.transform.blocks.lower_opaque_block import LowerOpaqueBlock
from tvmscript.ir.transform.blocks.plan_and_update_buffer_allocation_location import (
    PlanAndUpdateBufferAllocationLocation,
)
from tvmscript.ir.transform.expressions.remove_no_op import RemoveNoOp
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.loops.unroll_loop import UnrollLoop
from tvmscript.ir.transform.loops.vectorize_loop import VectorizeLoop
from tvmscript.ir.transform.memory.flatten_buffer import FlattenBuffer
from tvmscript.ir.transform.memory.storage_rewrite import StorageRewrite

#: More lanes than this make code that is long, not fast: 64 lanes of float32 are four registers of AVX-512.
MAX_LANES: Final = 64

CPU_LOWER: Final[tuple[Pass, ...]] = (
    # an init needs the block's reduction axes: while there are any
    LowerInitBlock(),
    # buffers move to their uses: after inits, which are uses, and while the axes tell which loops reduce
    PlanAndUpdateBufferAllocationLocation(),
    # bindings of axes become indices, which everything below looks at
    ConvertBlocksToOpaque(),
    # buffers shrink to what the loops below their new place access; needs indices in terms of loops
    CompactBufferAllocation(),
    # regions are those of blocks: while there are blocks
    LowerMatchBuffer(),
    # the last pass that sees blocks
    LowerOpaqueBlock(),
    # one index for each access: what vectors are made of
    FlattenBuffer(),
    # sums of flat indices come in simplest form, so that strides are visible to VectorizeLoop and LLVM
    Simplify(),
    VectorizeLoop(max_lanes=MAX_LANES, is_lenient=True),
    UnrollLoop(is_lenient=True),
    # iterations of unrolled loops have constant indices and conditions
    Simplify(),
    RemoveNoOp(),
    # memory is shared by what is left: dead allocations are gone
    StorageRewrite(),
)


def lower(mod: IRModule) -> IRModule:
    """The module as loops over flat buffers.

    Functions keep their parameters and buffer maps. Bodies have no blocks; each access has one index into a flat
    buffer, strides and offset included; loops are serial, parallel or bound to threads.
    """
    #: what each pass gave when it ran last: it has nothing to do where no pass after it changed anything
    results: dict[Pass, IRModule] = {}
    for each in CPU_LOWER:
        if results.get(each) is not mod:
            mod = results[each] = each(mod)
    return mod
