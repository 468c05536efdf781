"""Buffers of blocks: argument normalization, allocation sites, and replacement."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any, Literal

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import DType, PointerType, PrimType, WrongType, closest, on
from tvmscript.ir.schedule.analysis.buffer_uses import stmts_without_buffer
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.recorder import Recorder, normalizer
from tvmscript.ir.schedule.rewrite.block_rewriter import BlockRewriter
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferRegion, Expr, For, IntImm, MatchBufferRegion, Stmt, Var

#: the kind of regions of a block
Side = Literal["read", "write"]

#: valid storage scopes; most may have a number and a suffix after a dot: their tag
_SCOPES = re.compile(
    r"|(global|shared|local|warp|texture)\d*([._-].*)?|wmma\.(matrix_a|matrix_b|accumulator)([.-].*)?"
    r"|amx\.tmm([.-].*)?|m16n8k8\.matrix[ABC]|mma\.(matrix_a|matrix_b|accumulator)|metal\.simdgroup"
)


class BufferIndexOutOfRangeError(ScheduleError, code="TS4160"):
    """The buffer index is out of range for the read or write regions of the block."""

    message = "{side} buffer index {index} is out of range: block {block} has {count} {side} regions"


class InvalidStorageScopeError(ScheduleError, code="TS4161"):
    """The storage scope is not one that TVM knows."""

    message = "unknown storage scope {scope}"
    advice = "storage scopes are global, shared, shared.dyn, local, warp, texture, wmma.matrix_a, wmma.accumulator, ..."


class NonAllocatedBufferError(ScheduleError, code="TS4162"):
    """The buffer must be allocated in the function; it is a parameter, or a view of another buffer."""

    message = "buffer {buffer} is not allocated in the function: it is a parameter, or a view of another buffer"
    advice = "allocate a copy of it by cache_read or cache_write"


def regions_of(block: Block, side: Side) -> tuple[BufferRegion, ...]:
    """Return the read or write regions of a block."""
    return block.reads if side == "read" else block.writes


def region_at(ref: StmtRef, index: int, side: Side) -> BufferRegion:
    """Return a read or write region by its index. Raises `BufferIndexOutOfRangeError`."""
    block = ref.block
    regions = regions_of(block, side)
    if not 0 <= index < len(regions):
        names = listed([f"{place}: {region.buffer.name}" for place, region in enumerate(regions)])
        raise BufferIndexOutOfRangeError(
            block=block.name_hint,
            count=len(regions),
            side=side,
            index=index,
            at=[block],
            legal=f"the {side} buffers are {names}",
        )
    return regions[index]


def buffer_at(ref: StmtRef, index: int, side: Side) -> Buffer:
    """Return a read or write buffer by its index. Raises `BufferIndexOutOfRangeError`."""
    return region_at(ref, index, side).buffer


def require_buffer_index(index: int | str | Buffer) -> int:
    """Return the index of a buffer; names and buffers were normalized before."""
    if not isinstance(index, int):
        raise WrongType(where="a buffer", expected="the number of one of the block's buffers", got=repr(index))
    return index


def allocating_block(ref: StmtRef, buffer: Buffer) -> StmtRef | None:
    """Return the enclosing block that allocates a buffer; None for parameters and views."""
    at = ref.parent
    while at is not None:
        if at.is_block and buffer in at.block.alloc_buffers:
            return at
        at = at.parent
    return None


def check_allocated(ref: StmtRef, buffer: Buffer) -> StmtRef:
    """Return the block that allocates a buffer. Raises `NonAllocatedBufferError`."""
    owner = allocating_block(ref, buffer)
    if owner is None:
        raise NonAllocatedBufferError(buffer=buffer.name, at=[ref.block])
    return owner


def check_storage_scope(scope: str, block: StmtRef) -> None:
    """Raise `InvalidStorageScopeError` for an unknown storage scope."""
    if not _SCOPES.fullmatch(scope):
        raise InvalidStorageScopeError(scope=repr(scope), at=[block.block])


def with_scope(buffer: Buffer, scope: str) -> Buffer:
    """Return the buffer in another storage scope, with the scope in its name and a new data variable."""
    name = f"{buffer.name}_{scope}"
    annotation = buffer.data.pointer_type
    element = annotation.element_type if isinstance(annotation, PointerType) else PrimType(buffer.dtype)
    return buffer.replace(data=Var(name, PointerType(element, scope)), name=name)


def new_memory(buffer: Buffer, scope: str) -> Buffer:
    """Return a buffer in new memory of a storage scope; it has no layout that is known only for the old memory."""
    copy = with_scope(buffer, scope)
    if is_const(buffer.elem_offset, 0) and all(isinstance(stride, IntImm) for stride in buffer.strides):
        return copy
    return copy.replace(strides=(), elem_offset=IntImm(buffer.elem_offset.dtype, 0), offset_factor=1)


def own_offset(buffer: Buffer) -> Expr:
    """Return the offset for a buffer in other memory; a variable is that of the memory of the buffer."""
    offset = buffer.elem_offset
    return offset if isinstance(offset, IntImm) else IntImm(offset.dtype, 0)


def with_dtype(buffer: Buffer, dtype: DType) -> Buffer:
    """Return the buffer with another dtype and a new data variable."""
    data = Var(buffer.data.name, PointerType(PrimType(dtype), buffer.storage_scope))
    return buffer.replace(data=data, dtype=dtype)


class BufferReplacer(BlockRewriter):
    """Replace buffers, and their views by views of the new buffers; `blocks` maps each new block to its old one."""

    def __init__(self, buffers: Mapping[Buffer, Buffer]) -> None:
        super().__init__()
        #: statements that do not use the buffers
        self.elsewhere: Container[Stmt] = ()
        for old, new in buffers.items():
            self.put(old, new)

    def put(self, old: Buffer, new: Buffer) -> None:
        """Add a replacement."""
        self.renamed[old] = new
        if old.data is not new.data:
            self.renamed[old.data] = new.data

    def replace_view(self, view: Buffer, source: Buffer) -> Buffer:
        """Return the view for a new source: the same view in the storage scope of the source."""
        return view if view.storage_scope == source.storage_scope else with_scope(view, source.storage_scope)

    @on(MatchBufferRegion)
    def match(self, node: MatchBufferRegion) -> MatchBufferRegion:
        source: BufferRegion = self.rewrite(node.source)
        if source is node.source:
            return node
        view = self.replace_view(node.buffer, source.buffer)
        if view is not node.buffer:
            self.put(node.buffer, view)
        return MatchBufferRegion(view, source, span=node.span)

    def define(self, name: Any) -> Any:
        return self.renamed.get(name) or super().define(name)

    @on(For, BlockRealize)
    def part(self, node: For | BlockRealize) -> Stmt:
        return node if node in self.elsewhere else self.descend(node)


def replace_buffer(site: StmtRef, buffer: Buffer, replacement: BufferReplacer) -> None:
    """Replace a buffer in a block and everything in it."""
    old = site.block
    replacement.elsewhere = stmts_without_buffer(site, buffer)
    site.tree.replace(site, replacement.rewrite(old), replacement.blocks)


def resolve_buffer_index(sch: Recorder, block: Any, buffer: Any, side: Side) -> Any:
    """Return the index of a buffer that is given by name or as an object. Raises `BufferIndexOutOfRangeError`."""
    if not isinstance(buffer, (str, Buffer)):
        return buffer
    ref = sch.block(block)
    names = [region.buffer.name for region in regions_of(ref.block, side)]
    buffers = [region.buffer for region in regions_of(ref.block, side)]
    if isinstance(buffer, Buffer) and buffer in buffers:
        return buffers.index(buffer)
    name = buffer if isinstance(buffer, str) else buffer.name
    if name not in names:
        legal = closest(name, names) or f"the {side} buffers are {listed(names) or 'none'}"
        raise BufferIndexOutOfRangeError(
            block=ref.block.name_hint, count=len(names), side=side, index=name, at=[ref.block], legal=legal
        )
    return names.index(name)


@normalizer("read_buffer_index")
def _normalize_read_index(sch: Recorder, values: dict[str, Any], buffer: object) -> Any:
    return resolve_buffer_index(sch, values["block"], buffer, "read")


@normalizer("write_buffer_index", "buffer_index")
def _normalize_write_index(sch: Recorder, values: dict[str, Any], buffer: object) -> Any:
    return resolve_buffer_index(sch, values["block"], buffer, "write")


@normalizer("buffer")
def _normalize_buffer(sch: Recorder, values: dict[str, Any], buffer: object) -> Any:
    """Return ("read" or "write", index) for a buffer; write regions are searched first."""
    if isinstance(buffer, tuple):
        return buffer
    if isinstance(buffer, (str, Buffer)):
        ref = sch.block(values["block"])
        for side in ("write", "read"):
            for index, region in enumerate(regions_of(ref.block, side)):
                if buffer is region.buffer or buffer == region.buffer.name:
                    return side, index
    return "read", resolve_buffer_index(sch, values["block"], buffer, "read")
