"""Buffers are allocated in the innermost loop or block around their accesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.block_access import UndetectableAccess, block_access
from tvmscript.ir.analysis.buffer_lca import buffer_scopes
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IntImm, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import StatementRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize, For
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import InitNotLowered


class _Placement(StatementRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        #: loop or block -> what is allocated in it, in order of the declarations
        self.places: dict[For | Block | None, list[Buffer]] = {}
        for buffer, place in buffer_scopes(func.body).items():
            self.places.setdefault(place, []).append(buffer)
        #: data -> buffer, from outermost to innermost
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
        """What a block reads and writes of the buffers around it; all of it where an address is used."""
        try:
            return block_access(block, self.visible)
        except UndetectableAccess:
            used = uses(block.body)
            whole = tuple([_whole(buffer) for data, buffer in self.visible.items() if data in used])
            return whole, whole

    @on(Block)
    def block(self, node: Block) -> Block:
        if node.init is not None:
            raise InitNotLowered(block=node.name_hint, span=node.span)
        buffers = self.places.get(node, [])
        matched = [match.buffer for match in node.match_buffers]
        inside = {buffer.data: buffer for buffer in (*buffers, *matched)}
        self.visible.update(inside)
        made: Block = self.descend(node)
        for data in inside:
            del self.visible[data]
        reads, writes = self.known(made.reads), self.known(made.writes)
        is_same = all(map(_is, buffers, node.alloc_buffers)) and len(buffers) == len(node.alloc_buffers)
        if reads is made.reads and writes is made.writes and is_same:
            return made
        return made.replace(reads=reads, writes=writes, alloc_buffers=tuple(buffers))

    def known(self, regions: tuple[BufferRegion, ...]) -> tuple[BufferRegion, ...]:
        """Regions of buffers that exist outside of the block."""
        kept = tuple([region for region in regions if region.buffer.data in self.visible])
        return regions if len(kept) == len(regions) else kept


def _is(a: object, b: object) -> bool:
    return a is b


def _whole(buffer: Buffer) -> BufferRegion:
    return BufferRegion(
        buffer, tuple([Range.from_min_extent(IntImm(extent.dtype, 0), extent) for extent in buffer.shape])
    )


@dataclass(frozen=True)
class PlanAndUpdateBufferAllocationLocation(PrimFuncPass):
    """Each buffer that a block allocates is allocated in the innermost loop or block around its accesses.

    A loop gets an opaque block around its body for it. Buffers whose values live from one iteration to the next stay
    above that loop: the kinds of axes tell which do, so this runs before `ConvertBlocksToOpaque`. Buffers that nobody
    uses are gone. Raises `InitNotLowered` for a block that still has an init.

    rewrite:
        B = T.alloc_buffer((16, 16))            for i in range(16):
        for i in range(16):                         with T.block(""):
            for j in range(16):         -->             B = T.alloc_buffer((16, 16))
                ... B[i, j] = ...                       for j in range(16):
            for j in range(16):                             ... B[i, j] = ...
                ... = B[i, j]                           for j in range(16):
                                                            ... = B[i, j]
    """

    name: ClassVar[str] = "tir.PlanAndUpdateBufferAllocationLocation"
    #: an allocation that is in its place gets another block around its uses, as in TVM
    is_idempotent: ClassVar[bool] = False
    skips_te: ClassVar[bool] = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Placement(func).rewrite(func.body))
