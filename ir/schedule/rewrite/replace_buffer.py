"""The buffers of blocks: which one is meant, where it is allocated, and another one in its place."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any, Literal

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import on
from tvmscript.ir.schedule.analysis.buffer_uses import stmts_without_buffer
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.recorder import Recorder, normalizer
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, MatchBufferRegion
from tvmscript.ir.tir.var import Var

#: "read" or "write": the regions that a buffer is looked for in
Side = Literal["read", "write"]

#: the memories that there are; each may have a part behind a dot of its own
_SCOPES = re.compile(
    r"|(global|shared|local|warp|texture)([.-].*)?|wmma\.(matrix_a|matrix_b|accumulator)([.-].*)?"
    r"|m16n8k8\.matrix[ABC]|mma\.(matrix_a|matrix_b|accumulator)|metal\.simdgroup"
)


class BufferIndexOutOfRangeError(ScheduleError):
    """The index of a buffer is not one of those that the block reads, or writes."""

    code = "TS4160"
    message = "block {block} has {count} {side} regions, so there is no index {index}"


class InvalidStorageScopeError(ScheduleError):
    """A memory that there is not: global, shared, shared.dyn, local, warp, texture, wmma.matrix_a, ..."""

    code = "TS4161"
    message = "there is no memory named {scope}"
    advice = "memories are global, shared, shared.dyn, local, warp, texture, wmma.matrix_a, wmma.accumulator, ..."


class NonAllocatedBufferError(ScheduleError):
    """The buffer is a parameter of the function, or a view of another one: it is not this function's to change."""

    code = "TS4162"
    message = "buffer {buffer} is allocated by no block: it is a parameter, or a view of another buffer"
    advice = "cache_read and cache_write make a copy of it that is the function's own"


def regions_of(block: Block, side: Side) -> tuple[BufferRegion, ...]:
    """What a block reads, or writes."""
    return block.reads if side == "read" else block.writes


def region_at(ref: StmtRef, index: int, side: Side) -> BufferRegion:
    """The region of this number among those that a block reads, or writes. Raises `BufferIndexOutOfRangeError`."""
    block = ref.block
    found = regions_of(block, side)
    if not 0 <= index < len(found):
        names = listed([f"{place}: {region.buffer.name}" for place, region in enumerate(found)])
        raise BufferIndexOutOfRangeError(
            block=block.name_hint, count=len(found), side=side, index=index, at=[block], legal=f"there are {names}"
        )
    return found[index]


def buffer_at(ref: StmtRef, index: int, side: Side) -> Buffer:
    """The buffer of this number among those that a block reads, or writes. Raises `BufferIndexOutOfRangeError`."""
    return region_at(ref, index, side).buffer


def require_buffer_index(index: int | str | Buffer) -> int:
    """A buffer as its number, which names and buffers have become before."""
    if not isinstance(index, int):
        raise WrongType(where="a buffer", expected="the number of one of the block's buffers", got=repr(index))
    return index


def allocating_block(ref: StmtRef, buffer: Buffer) -> StmtRef | None:
    """The block around a block that allocates a buffer; None for parameters and views."""
    at = ref.parent
    while at is not None:
        if at.is_block and buffer in at.block.alloc_buffers:
            return at
        at = at.parent
    return None


def check_allocated(ref: StmtRef, buffer: Buffer) -> StmtRef:
    """The block that allocates a buffer. Raises `NonAllocatedBufferError`."""
    found = allocating_block(ref, buffer)
    if found is None:
        raise NonAllocatedBufferError(buffer=buffer.name, at=[ref.block])
    return found


def check_storage_scope(scope: str, block: StmtRef) -> None:
    """Raise `InvalidStorageScopeError` for a memory that there is not; the block is what was to use it."""
    if not _SCOPES.fullmatch(scope):
        raise InvalidStorageScopeError(scope=repr(scope), at=[block.block])


def with_scope(buffer: Buffer, scope: str) -> Buffer:
    """The same buffer in another memory, named for it; its data is a variable of its own."""
    name = f"{buffer.name}_{scope}"
    annotation = buffer.data.type_annotation
    element = annotation.element_type if isinstance(annotation, PointerType) else PrimType(buffer.dtype)
    return buffer.replace(data=Var(name, PointerType(element, scope)), name=name)


def with_dtype(buffer: Buffer, dtype: DType) -> Buffer:
    """The same buffer with elements of another type; its data is a variable of its own."""
    data = Var(buffer.data.name, PointerType(PrimType(dtype), buffer.storage_scope))
    return buffer.replace(data=data, dtype=dtype)


class BufferReplacer(TirRewriter):
    """Other buffers in the place of some; views of them become views of the other ones.

    `blocks` tells of each block that changed which one it was.
    """

    def __init__(self, buffers: Mapping[Buffer, Buffer]) -> None:
        super().__init__()
        self.blocks: dict[Block, Block] = {}
        #: statements that mention none of the buffers
        self.elsewhere: Container[Stmt] = ()
        for old, new in buffers.items():
            self.put(old, new)

    def put(self, old: Buffer, new: Buffer) -> None:
        """One more buffer to be replaced."""
        self.renamed[old] = new
        if old.data is not new.data:
            self.renamed[old.data] = new.data

    def viewed(self, view: Buffer, source: Buffer) -> Buffer:
        """What a view becomes when it is one of another buffer: the same, in the memory of that."""
        return view if view.storage_scope == source.storage_scope else with_scope(view, source.storage_scope)

    @on(MatchBufferRegion)
    def match(self, node: MatchBufferRegion) -> MatchBufferRegion:
        source: BufferRegion = self.rewrite(node.source)
        if source is node.source:
            return node
        view = self.viewed(node.buffer, source.buffer)
        if view is not node.buffer:
            self.put(node.buffer, view)
        return MatchBufferRegion(view, source, span=node.span)

    def define(self, name: Any) -> Any:
        return self.renamed.get(name) or super().define(name)

    @on(For, BlockRealize)
    def part(self, node: For | BlockRealize) -> Stmt:
        return node if node in self.elsewhere else self.descend(node)

    @on(Block)
    def block(self, node: Block) -> Block:
        made: Block = self.descend(node)
        if made is not node:
            self.blocks[made] = node
        return made


def replace_buffer(site: StmtRef, buffer: Buffer, replacement: BufferReplacer) -> None:
    """Do the replacement of a buffer in a block and everything in it."""
    old = site.block
    replacement.elsewhere = stmts_without_buffer(site, buffer)
    site.tree.replace(site, replacement.rewrite(old), replacement.blocks)


def resolve_buffer_index(sch: Recorder, block: Any, buffer: Any, side: Side) -> Any:
    """The number of a buffer that is given by its name or itself. Raises `BufferIndexOutOfRangeError`."""
    if not isinstance(buffer, str | Buffer):
        return buffer
    ref = sch.block(block)
    names = [region.buffer.name for region in regions_of(ref.block, side)]
    buffers = [region.buffer for region in regions_of(ref.block, side)]
    if isinstance(buffer, Buffer) and buffer in buffers:
        return buffers.index(buffer)
    name = buffer if isinstance(buffer, str) else buffer.name
    if name not in names:
        legal = closest(name, names) or f"there are {listed(names) or 'none'}"
        raise BufferIndexOutOfRangeError(
            block=ref.block.name_hint, count=len(names), side=side, index=name, at=[ref.block], legal=legal
        )
    return names.index(name)


@normalizer("read_buffer_index")
def _normalize_read_index(sch: Recorder, values: dict[str, Any], buffer: Any) -> Any:
    return resolve_buffer_index(sch, values["block"], buffer, "read")


@normalizer("write_buffer_index", "buffer_index")
def _normalize_write_index(sch: Recorder, values: dict[str, Any], buffer: Any) -> Any:
    return resolve_buffer_index(sch, values["block"], buffer, "write")


@normalizer("buffer")
def _normalize_buffer(sch: Recorder, values: dict[str, Any], buffer: Any) -> Any:
    """A buffer of a block as ("read" or "write", its number): what is written comes first."""
    if isinstance(buffer, tuple):
        return buffer
    if isinstance(buffer, str | Buffer):
        ref = sch.block(values["block"])
        for side in ("write", "read"):
            for index, region in enumerate(regions_of(ref.block, side)):
                if buffer is region.buffer or buffer == region.buffer.name:
                    return side, index
    return "read", resolve_buffer_index(sch, values["block"], buffer, "read")
