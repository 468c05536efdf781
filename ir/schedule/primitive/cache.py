"""Copies of what blocks read and write, in other memories."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.schedule.base import Recorder, primitive
from tvmscript.ir.schedule.buffers import buffer_at, buffer_number, check_scope
from tvmscript.ir.schedule.copying import (
    Copy,
    Place,
    Redirection,
    first_region,
    full_region,
    only_writer,
    outermost,
    place_between,
    put_copy,
    readers_behind,
    redirect,
    region_at_place,
    with_children,
)
from tvmscript.ir.schedule.facts import pipeline_scope
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.tree import Ref
from tvmscript.ir.tir.buffer import Buffer


class Cache(Recorder):
    """cache_read, cache_write."""

    @primitive("CacheRead", inputs=("block", "consumer_blocks"), attrs=("read_buffer_index", "storage_scope"))
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
        `InvalidStorageScopeError`, `RootBlockError`, `NotStagePipelineError`, `NotSingleWriteBlock`.
        """
        ref, index = self.block(block), buffer_number(read_buffer_index)
        return self.new_block(_cache_read(ref, index, storage_scope, self._users(consumer_blocks)))

    @primitive("CacheWrite", inputs=("block", "consumer_blocks"), attrs=("write_buffer_index", "storage_scope"))
    def cache_write(
        self,
        block: BlockRV | str,
        write_buffer_index: int | str | Buffer,
        storage_scope: str,
        consumer_blocks: Sequence[BlockRV | str] | None = None,
    ) -> BlockRV:
        """A block writes to another memory, and a new block behind it copies that to the buffer.

        With `consumer_blocks`, these blocks read what was written before it is copied. The new block comes back.
        Raises what `cache_read` raises.
        """
        ref, index = self.block(block), buffer_number(write_buffer_index)
        return self.new_block(_cache_write(ref, index, storage_scope, self._users(consumer_blocks)))

    def _users(self, blocks: Sequence[BlockRV | str] | None) -> list[Ref]:
        """Blocks that are to use a copy, and the blocks directly in them."""
        return with_children([self.block(block) for block in blocks or ()])


def _cache_read(ref: Ref, index: int, storage_scope: str, users: list[Ref]) -> Ref:
    check_scope(storage_scope)
    buffer = buffer_at(ref, index, "read")
    scope = pipeline_scope(ref, "cache_read")
    writer = only_writer(scope, buffer)
    if writer is None:
        place = Place(scope, "first")
        stated = first_region(scope.block.reads, buffer)
        region = full_region(buffer) if stated is None else stated.region
    else:
        place = place_between(scope, writer, users or readers_behind(scope, writer))
        written = first_region(writer.block.writes, buffer)
        assert written is not None, "the writer writes it"
        region = region_at_place(writer, written, place.around)
    copy = Copy(buffer, region, storage_scope, is_full=place.around is not scope)
    block, stage = copy.stage(is_read=True)
    only = {user.block for user in users} or None
    tree = ref.tree
    for reader in outermost(users or [*tree.readers[buffer]], scope, tree.writers.get(buffer, ())):
        redirect(reader, Redirection(buffer, copy.made, copy.start, only))
    return put_copy(scope, place, stage, block, copy.made)


def _cache_write(ref: Ref, index: int, storage_scope: str, users: list[Ref]) -> Ref:
    check_scope(storage_scope)
    buffer = buffer_at(ref, index, "write")
    scope = pipeline_scope(ref, "cache_write")
    only_writer(scope, buffer)
    readers = [reader for reader in readers_behind(scope, ref) if reader not in users]
    place = place_between(scope, ref, readers)
    written = first_region(ref.block.writes, buffer)
    assert written is not None, "the block writes it"
    copy = Copy(buffer, region_at_place(ref, written, place.around), storage_scope, is_full=place.around is not scope)
    block, stage = copy.stage(is_read=False)
    only = {user.block for user in users}
    redirect(ref, Redirection(buffer, copy.made, copy.start, with_writers=True))
    for user in outermost([user for user in users if user is not ref], scope):
        redirect(user, Redirection(buffer, copy.made, copy.start, only, with_writers=True))
    return put_copy(scope, place, stage, block, copy.made)
