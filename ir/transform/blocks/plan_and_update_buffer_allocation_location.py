"""Allocate each buffer in the innermost loop or block around its accesses."""

from __future__ import annotations

from dataclasses import dataclass
from operator import is_
from typing import Any

from tvmscript.ir.analysis.blocks.block_access import block_access
from tvmscript.ir.analysis.memory.buffer_lca import buffer_scopes
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import on
from tvmscript.ir.tir import Buffer, BufferRegion, PrimFunc, StatementRewriter, Stmt, Var, uses
from tvmscript.ir.tir.errors import UndetectableAccess
from tvmscript.ir.tir.stmt import Block, BlockRealize, For
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.blocks.lower_opaque_block import ALIGNMENT
from tvmscript.ir.transform.errors import InitNotLowered
from tvmscript.ir.transform.function_features import statement_features
from tvmscript.ir.transform.loops.inject_software_pipeline.prologue_epilogue import STAGE


class _AllocationPlacement(StatementRewriter):
    def __init__(self, func: PrimFunc, *, infers_regions: bool) -> None:
        super().__init__()
        self.infers_regions = infers_regions
        #: loop or block -> the buffers to allocate in it, in order of declaration
        self.places: dict[For | Block | None, list[Buffer]] = {}
        for buffer, place in buffer_scopes(func.body).items():
            self.places.setdefault(place, []).append(buffer)
        #: data variable -> buffer, outermost first
        self.visible: dict[Var, Buffer] = {buffer.data: buffer for buffer in func.buffer_map.values()}

    @on(For)
    def loop(self, node: For) -> For:
        buffers = self.places.get(node)
        if buffers is None:
            return self.descend(node)
        self.visible.update({buffer.data: buffer for buffer in buffers})
        body: Stmt = self.rewrite(node.body)
        for buffer in buffers:
            del self.visible[buffer.data]
        block = Block((), (), (), "", body, None, tuple(buffers))
        reads, writes = self.accesses(block)
        return node.replace(body=BlockRealize((), TRUE, block.replace(reads=reads, writes=writes)))

    def accesses(self, block: Block) -> tuple[tuple[BufferRegion, ...], tuple[BufferRegion, ...]]:
        """Return the regions that a block reads and writes; full regions of the used buffers if an address escapes."""
        if self.infers_regions:
            try:
                return block_access(block, self.visible)
            except UndetectableAccess:
                pass
        used = uses(block.body)
        whole = tuple([BufferRegion.full(buffer) for data, buffer in self.visible.items() if data in used])
        return whole, whole

    @on(Block)
    def block(self, node: Block) -> Block:
        if node.init is not None:
            raise InitNotLowered(block=node.name_hint, span=node.span)
        buffers = self.places.get(node, [])
        matched = [match.buffer for match in node.match_buffers]
        inside = {buffer.data: buffer for buffer in (*buffers, *matched)}
        self.visible.update(inside)
        new_block: Block = self.descend(node)
        for data in inside:
            del self.visible[data]
        reads, writes = self.visible_regions(new_block.reads), self.visible_regions(new_block.writes)
        is_same = all(map(is_, buffers, node.alloc_buffers)) and len(buffers) == len(node.alloc_buffers)
        if reads is new_block.reads and writes is new_block.writes and is_same:
            return new_block
        annotations = _renumbered(new_block, writes)
        return new_block.replace(reads=reads, writes=writes, alloc_buffers=tuple(buffers), annotations=annotations)

    def visible_regions(self, regions: tuple[BufferRegion, ...]) -> tuple[BufferRegion, ...]:
        """Return the regions of buffers that are visible outside of the block."""
        kept = tuple([region for region in regions if region.buffer.data in self.visible])
        return regions if len(kept) == len(regions) else kept


def _renumbered(block: Block, writes: tuple[BufferRegion, ...]) -> dict[str, Any]:
    """Return the annotations of a block for the writes that are left: an alignment counts in them."""
    alignments = block.annotations.get(ALIGNMENT)
    if not alignments or len(writes) == len(block.writes):
        return block.annotations
    places = {place: writes.index(region) for place, region in enumerate(block.writes) if region in writes}
    left = [[places[int(each[0])], *each[1:]] for each in alignments if int(each[0]) in places]
    others = {key: value for key, value in block.annotations.items() if key != ALIGNMENT}
    return {**others, ALIGNMENT: left} if left else others


@dataclass(frozen=True)
class PlanAndUpdateBufferAllocationLocation(PrimFuncPass):
    """Move each buffer that a block allocates to the lowest common ancestor of its accesses.

    If that is a loop, an opaque block is added around the loop body. A buffer that carries values across iterations of
    a loop stays outside of it; this is decided by the kinds of block axes, so the pass runs before
    `ConvertBlocksToOpaque`. Unused buffers are removed. Raises `InitNotLowered` for a block with an init.

    infers_regions: compute what the added blocks access. Otherwise they access whole buffers, unless a loop is a
        software pipeline, whose dependences follow from regions.

    rewrite:
        B = T.alloc_buffer((16, 16))            for i in range(16):
        for i in range(16):                         with T.block(""):
            for j in range(16):         -->             B = T.alloc_buffer((16, 16))
                ... B[i, j] = ...                       for j in range(16):
            for j in range(16):                             ... B[i, j] = ...
                ... = B[i, j]                           for j in range(16):
                                                            ... = B[i, j]
    """

    name = "tir.PlanAndUpdateBufferAllocationLocation"
    #: a second run adds another block around the uses of a buffer, as in TVM
    is_idempotent = False
    skips_te = True
    infers_regions: bool = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        infers_regions = self.infers_regions or STAGE in statement_features(func)
        return func.with_body(_AllocationPlacement(func, infers_regions=infers_regions).rewrite(func.body))
