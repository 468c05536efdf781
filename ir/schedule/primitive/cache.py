"""Copies of what blocks read and write, in other memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from tvmscript.ir.schedule.analysis.block_properties import check_region_cover, scope_of
from tvmscript.ir.schedule.analysis.block_scope import is_before, readers
from tvmscript.ir.schedule.analysis.region_cover import unbound, writes_all_of
from tvmscript.ir.schedule.analysis.regions import Region, first_region, full_region
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.cache_blocks import (
    Copy,
    Place,
    Redirection,
    UnwrittenCopyError,
    allocate,
    check_written,
    found_copy,
    only_writer,
    outermost,
    place_between,
    put_copy,
    readers_behind,
    redirect,
    region_at_place,
    with_children,
)
from tvmscript.ir.schedule.rewrite.replace_buffer import buffer_at, buffer_number, check_scope, region_at
from tvmscript.ir.schedule.tree import Ref, realize_of, visible_loops
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.stmt import SeqStmt
from tvmscript.ir.tir.substitute import uses


class NotReadWriteError(ScheduleError):
    """The block has to read and to write the buffer."""

    code = "TS4169"
    message = "block {block} reads {buffer}, but does not write it"


class Cache(Recorder):
    """cache_read, cache_write, cache_inplace."""

    @primitive(
        "CacheRead",
        inputs=("block", "consumer_blocks"),
        attrs=("read_buffer_index", "storage_scope"),
        promises=Promises(undone_by="compute_inline"),
    )
    def cache_read(
        self,
        block: BlockRV | str,
        read_buffer_index: int | str | Buffer,
        storage_scope: str,
        consumer_blocks: Sequence[BlockRV | str] | None = None,
    ) -> BlockRV:
        """A new block copies a buffer that a block reads to another memory, and the readers of it read the copy.

        The new block stands behind the one that writes the buffer, or first in the scope; it is what comes back. With
        `consumer_blocks`, these blocks alone read the copy. Raises `BufferIndexOutOfRangeError`,
        `InvalidStorageScopeError`, `RootBlockError`, `NotRegionCoverError`, `NotSingleWriteBlock`.
        """
        ref, index = self.block(block), buffer_number(read_buffer_index)
        return self.new_block(_cache_read(ref, index, storage_scope, self._users(consumer_blocks)))

    @primitive(
        "CacheWrite",
        inputs=("block", "consumer_blocks"),
        attrs=("write_buffer_index", "storage_scope"),
        # the init of a blockized reduction writes where it did before
        promises=Promises(keeps_values=False, undone_by="reverse_compute_inline"),
    )
    def cache_write(
        self,
        block: BlockRV | str,
        write_buffer_index: int | str | Buffer,
        storage_scope: str,
        consumer_blocks: Sequence[BlockRV | str] | None = None,
    ) -> BlockRV:
        """A block writes to another memory, and a new block behind it copies that to the buffer.

        With `consumer_blocks`, these blocks read what was written before it is copied. The new block comes back.
        Raises what `cache_read` raises, without `NotRegionCoverError`; and `UnwrittenCopyError`.
        """
        ref, index = self.block(block), buffer_number(write_buffer_index)
        return self.new_block(_cache_write(ref, index, storage_scope, self._users(consumer_blocks)))

    @primitive("CacheInplace", inputs=("block",), attrs=("read_buffer_index", "storage_scope"))
    def cache_inplace(
        self, block: BlockRV | str, read_buffer_index: int | str | Buffer, storage_scope: str
    ) -> list[BlockRV]:
        """A block reads and writes a copy of a buffer; new blocks before and behind it copy there and back.

        The two new blocks come back. Raises `BufferIndexOutOfRangeError`, `InvalidStorageScopeError`,
        `RootBlockError`, `NotRegionCoverError`, `NotReadWriteError`.
        """
        ref, index = self.block(block), buffer_number(read_buffer_index)
        return self.new_blocks(_cache_inplace(ref, index, storage_scope))

    def _users(self, blocks: Sequence[BlockRV | str] | None) -> list[Ref]:
        """Blocks that are to use a copy, and the blocks directly in them."""
        return with_children([self.block(block) for block in blocks or ()])


def _cache_read(ref: Ref, index: int, storage_scope: str, users: list[Ref]) -> Ref:
    check_scope(storage_scope, ref)
    buffer = buffer_at(ref, index, "read")
    scope, tree = scope_of(ref, "cache_read"), ref.tree
    _check_covered(scope, buffer)
    writer = only_writer(scope, buffer)
    apart = {*tree.writers.get(buffer, ())}
    group = users if users or writer is None else _readers_with(ref, scope, writer, buffer)
    behind = [user for user in group if writer is not None and user is not writer and is_before(writer, user)]
    if writer is None or (group and not behind):
        place = Place(scope, "first")
        stated = first_region(scope.block.reads, buffer)
        region = full_region(buffer) if stated is None else stated.region
    else:
        place = place_between(scope, writer, behind)
        written = first_region(writer.block.writes, buffer)
        assert written is not None, "the writer writes it"
        region = region_at_place(writer, written, place.around)
    if writer is not None:
        apart = apart.union(readers(scope, buffer)).difference(group)
    copy = Copy(buffer, region, storage_scope, is_full=_is_full(place, scope, region))
    block, stage = copy.stage(place.around, is_read=True)
    only = {user.block for user in users} or None
    for reader in outermost(users or [*tree.readers[buffer]], scope, apart):
        redirect(reader, Redirection(buffer, copy.made, copy.start, only))
    return put_copy(scope, place, stage, block, copy.made)


def _check_covered(scope: Ref, buffer: Buffer) -> None:
    """Raises `NotRegionCoverError` unless what the blocks of a scope read of a buffer is written before."""
    for reader in readers(scope, buffer):
        check_region_cover(reader)


def _readers_with(ref: Ref, scope: Ref, writer: Ref, buffer: Buffer) -> list[Ref]:
    """The readers of a scope that read the same values as a block: behind the writer of a buffer, or before it."""
    behind = readers_behind(scope, writer)
    if ref is writer or ref in behind:
        return behind
    return [reader for reader in readers(scope, buffer) if reader not in behind and reader is not writer]


def _cache_write(ref: Ref, index: int, storage_scope: str, users: list[Ref]) -> Ref:
    check_scope(storage_scope, ref)
    buffer = buffer_at(ref, index, "write")
    scope = scope_of(ref, "cache_write")
    only_writer(scope, buffer)
    check_written(ref.block, buffer)
    place = place_between(scope, ref, [reader for reader in readers_behind(scope, ref) if reader not in users])
    written = first_region(ref.block.writes, buffer)
    assert written is not None, "the block writes it"
    region = region_at_place(ref, written, place.around)
    if buffer not in scope.block.alloc_buffers and not writes_all_of(ref, written, region, place.around):
        raise UnwrittenCopyError(
            buffer=buffer.name, block=ref.block.name_hint, why="does not write all of the region", at=[ref.block]
        )
    copy = Copy(buffer, region, storage_scope, is_full=_is_full(place, scope, region))
    block, stage = copy.stage(place.around, is_read=False)
    only = {user.block for user in users}
    redirect(ref, Redirection(buffer, copy.made, copy.start, with_writers=True))
    for user in outermost([user for user in users if user is not ref], scope):
        redirect(user, Redirection(buffer, copy.made, copy.start, only, with_writers=True))
    return put_copy(scope, place, stage, block, copy.made)


def _is_full(place: Place, scope: Ref, region: Region) -> bool:
    """Whether a copy of a region is as large as the buffer: its place in the copy could not be told inside of blocks
    where it depends on a loop.
    """
    return place.around is not scope or any(loop.loop.loop_var in uses(region) for loop in visible_loops(scope))


def _cache_inplace(ref: Ref, index: int, storage_scope: str) -> list[Ref]:
    check_scope(storage_scope, ref)
    read = region_at(ref, index, "read")
    buffer, stmt = read.buffer, ref.block
    scope = scope_of(ref, "cache_inplace")
    _check_covered(scope, buffer)
    written = first_region(stmt.writes, buffer)
    if written is None:
        raise NotReadWriteError(block=stmt.name_hint, buffer=buffer.name, at=[stmt])
    realize, tree = realize_of(ref), ref.tree
    copy = Copy(buffer, tuple(unbound(read, realize)), storage_scope, is_full=True)
    back = Copy(buffer, tuple(unbound(written, realize)), storage_scope, is_full=True, made=copy.made)
    redirect(ref, Redirection(buffer, copy.made, with_writers=True))
    around = cast(Ref, ref.parent)
    first, there = copy.stage(around, is_read=True, predicate=realize.predicate)
    last, here = back.stage(around, is_read=False, predicate=realize.predicate)
    tree.replace(ref, SeqStmt((there, realize_of(ref), here)))
    allocate(scope, copy.made)
    return [found_copy(tree, first), found_copy(tree, last)]
