"""Rewriting blocks that access a buffer which goes away: what they read and write is found anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tvmscript.ir.analysis.block_access import block_access
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.visit import on
from tvmscript.ir.schedule.analysis.bindings import bind_axes
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, Range
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, For
from tvmscript.ir.tir.var import Var


class OpaqueAccessError(ScheduleError):
    """The buffer is used by its address or through T.match_buffer: what is read there cannot be computed instead."""

    code = "TS4137"
    message = "{buffer} is used by its address or matched in block {block}"


def visible_buffers(blocks: Iterable[Block]) -> dict[Var, Buffer]:
    """The buffers that blocks access and allocate, by their data."""
    found: dict[Var, Buffer] = {}
    for block in blocks:
        for buffer in block.alloc_buffers:
            found[buffer.data] = buffer
        for region in (*block.reads, *block.writes):
            found[region.buffer.data] = region.buffer
    return found


class BufferRemovalRewriter(TirRewriter):
    """Rewrites blocks that access a buffer which goes away; what they read and write is found anew."""

    def __init__(self, buffer: Buffer, visible: dict[Var, Buffer]) -> None:
        super().__init__()
        self.buffer = buffer
        #: data -> buffer: those around the block that is being rewritten
        self.visible = visible
        #: block made -> the block that it was
        self.blocks: dict[Block, Block] = {}
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
        made: Block = self.descend(node)
        made = self.with_access(made)
        if made is not node:
            self.blocks[made] = node
        return made

    def with_access(self, block: Block) -> Block:
        """A block that says what it reads and writes now, if it says something about the buffer."""
        if self.is_opaque or not any(region.buffer is self.buffer for region in (*block.reads, *block.writes)):
            return block
        own = {buffer.data for buffer in block.alloc_buffers}
        visible = {data: buffer for data, buffer in self.visible.items() if data not in own} if own else self.visible
        reads, writes = block_access(block, visible)
        return block.replace(reads=reads, writes=writes)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        """What blocks say is found anew where it is about the buffer."""
        return node if node.buffer is self.buffer else self.descend(node)
