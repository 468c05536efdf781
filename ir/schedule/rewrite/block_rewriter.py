"""Base rewriters: one records the blocks that it replaces, one removes a buffer and recomputes regions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tvmscript.ir.analysis.blocks.block_access import block_access
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import on
from tvmscript.ir.schedule.analysis.bindings import bind_axes
from tvmscript.ir.schedule.analysis.block_scope import accesses_beside_blocks
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Block, Buffer, BufferRegion, For, Range, TirRewriter, Var


class OpaqueAccessError(ScheduleError, code="TS4137"):
    """The buffer is accessed by its address, through T.match_buffer, or by statements beside nested blocks, so its
    accesses cannot be rewritten.
    """

    message = "block {block} accesses {buffer} by address or T.match_buffer, or beside its nested blocks"


def check_not_beside_blocks(buffer: Buffer, ref: StmtRef) -> None:
    """Raise `OpaqueAccessError` if a block around `ref` accesses a buffer beside its nested blocks."""
    beside = accesses_beside_blocks(buffer, ref)
    if beside is not None:
        raise OpaqueAccessError(buffer=buffer.name, block=beside.block.name_hint, at=[beside.block])


def visible_buffers(blocks: Iterable[Block]) -> dict[Var, Buffer]:
    """Return the buffers that blocks access and allocate, by data variable."""
    buffers: dict[Var, Buffer] = {}
    for block in blocks:
        for buffer in block.alloc_buffers:
            buffers[buffer.data] = buffer
        for region in (*block.reads, *block.writes):
            buffers[region.buffer.data] = region.buffer
    return buffers


class BlockRewriter(TirRewriter):
    """Rewriter that records in `blocks` which block each new one replaces."""

    def __init__(self) -> None:
        super().__init__()
        #: new block -> old block
        self.blocks: dict[Block, Block] = {}

    @on(Block)
    def block(self, node: Block) -> Block:
        new_block: Block = self.descend(node)
        if new_block is not node:
            self.blocks[new_block] = node
        return new_block


class BufferRemovalRewriter(BlockRewriter):
    """Rewriter for the removal of a buffer; recomputes the regions of blocks that access it."""

    def __init__(self, buffer: Buffer, visible: dict[Var, Buffer]) -> None:
        super().__init__()
        self.buffer = buffer
        #: data variable -> buffer, for the current position
        self.visible = visible
        #: whether the buffer's address is used
        self.is_opaque = False
        self.analyzer = Analyzer()

    @on(For)
    def loop(self, node: For) -> Any:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        return self.descend(node)

    @on(Var, Buffer)
    def name(self, node: Any) -> Any:
        if node is self.buffer.data:
            self.is_opaque = True
        return self.renamed.get(node, node)

    @on(Block)
    def block(self, node: Block) -> Block:
        visible = visible_buffers([node])
        self.visible.update(visible)
        self.is_opaque |= any(match.source.buffer is self.buffer for match in node.match_buffers)
        bind_axes(self.analyzer, node)
        new_block: Block = self.descend(node)
        new_block = self.with_access(new_block)
        if new_block is not node:
            self.blocks[new_block] = node
        return new_block

    def with_access(self, block: Block) -> Block:
        """Recompute the regions of a block that accesses the buffer."""
        if self.is_opaque or not any(region.buffer is self.buffer for region in (*block.reads, *block.writes)):
            return block
        own = {buffer.data for buffer in block.alloc_buffers}
        visible = {data: buffer for data, buffer in self.visible.items() if data not in own} if own else self.visible
        reads, writes = block_access(block, visible)
        return block.replace(reads=reads, writes=writes)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        """Keep regions of the buffer: `with_access` recomputes them."""
        return node if node.buffer is self.buffer else self.descend(node)
