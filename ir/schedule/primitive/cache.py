"""Caches in another storage scope: cache_read, cache_write, cache_inplace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from tvmscript.ir.analysis.blocks.block_access import access_regions
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.access_checks import writes_unconditionally
from tvmscript.ir.schedule.analysis.block_properties import (
    check_region_cover,
    check_sums_begin_inside,
    enclosing_scope,
)
from tvmscript.ir.schedule.analysis.block_scope import accesses_beside_blocks, is_before, readers
from tvmscript.ir.schedule.analysis.merge_order import reads_earlier_iterations
from tvmscript.ir.schedule.analysis.region_cover import bind_region, writes_own_region, writes_whole_box
from tvmscript.ir.schedule.analysis.regions import Region, first_region, full_region
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite import cache_blocks
from tvmscript.ir.schedule.rewrite.block_rewriter import check_not_beside_blocks
from tvmscript.ir.schedule.rewrite.replace_buffer import buffer_at, check_storage_scope, region_at, require_buffer_index
from tvmscript.ir.schedule.tree import StmtRef, is_inside, realize_of, visible_loops
from tvmscript.ir.tir import LE, Block, Buffer, BufferRegion, BufferStore, SeqStmt, match_types, uses


class NotReadWriteError(ScheduleError, code="TS4169"):
    """`cache_inplace` requires a block that reads and writes the buffer."""

    message = "cache_inplace: block {block} reads {buffer} but does not write it"


class InvalidConsumerError(ScheduleError, code="TS4195"):
    """The blocks that are to use a copy must be inside of its scope, and read values that it holds."""

    message = "block {block} cannot use a cache of {buffer}: {why}"


class Cache(Recorder):
    """Buffer copies."""

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
        """Copy a buffer that a block reads to another storage scope, and let its readers read the copy.

        Returns the new block. It follows the writer of the buffer, or is the first one of the scope. With
        `consumer_blocks`, only these blocks read the copy. Raises `BufferIndexOutOfRangeError`,
        `InvalidStorageScopeError`, `RootBlockError`, `NotRegionCoverError`, `NotSingleWriteBlock`,
        `InvalidConsumerError`, `OpaqueAccessError`.
        """
        ref, index = self.block(block), require_buffer_index(read_buffer_index)
        return self.new_block(_cache_read(ref, index, storage_scope, self._blocks(consumer_blocks)))

    @primitive(
        "CacheWrite",
        inputs=("block", "consumer_blocks"),
        attrs=("write_buffer_index", "storage_scope"),
        promises=Promises(undone_by="reverse_compute_inline"),
    )
    def cache_write(
        self,
        block: BlockRV | str,
        write_buffer_index: int | str | Buffer,
        storage_scope: str,
        consumer_blocks: Sequence[BlockRV | str] | None = None,
    ) -> BlockRV:
        """Let a block write to another storage scope, and copy that to the buffer by a new block after it.

        Returns the new block. With `consumer_blocks`, these blocks read the new buffer.
        Raises the errors of `cache_read`, `UnwrittenCopyError`, and `NotReductionBlockError`.
        """
        ref, index = self.block(block), require_buffer_index(write_buffer_index)
        return self.new_block(_cache_write(ref, index, storage_scope, self._blocks(consumer_blocks)))

    @primitive("CacheInplace", inputs=("block",), attrs=("read_buffer_index", "storage_scope"))
    def cache_inplace(
        self, block: BlockRV | str, read_buffer_index: int | str | Buffer, storage_scope: str
    ) -> list[BlockRV]:
        """Let a block read and write a copy of a buffer; new blocks before and after it copy there and back.

        Returns the two new blocks. Raises `BufferIndexOutOfRangeError`, `InvalidStorageScopeError`,
        `RootBlockError`, `NotRegionCoverError`, `NotReadWriteError`, `UnwrittenCopyError`,
        `OpaqueAccessError`.
        """
        ref, index = self.block(block), require_buffer_index(read_buffer_index)
        return self.new_blocks(_cache_inplace(ref, index, storage_scope))

    def _blocks(self, blocks: Sequence[BlockRV | str] | None) -> list[StmtRef]:
        """Return the blocks that are to use a copy."""
        return [self.block(block) for block in blocks or ()]


def _cache_read(ref: StmtRef, index: int, storage_scope: str, consumers: list[StmtRef]) -> StmtRef:
    check_storage_scope(storage_scope, ref)
    buffer = buffer_at(ref, index, "read")
    scope, tree = enclosing_scope(ref, "cache_read"), ref.tree
    is_bound = not consumers and accesses_beside_blocks(buffer, ref) is scope and _is_never_written(scope, buffer)
    if not is_bound:
        check_not_beside_blocks(buffer, ref)
    _check_readers_covered(scope, buffer)
    writer = cache_blocks.only_writer(scope, buffer)
    _check_consumers(scope, consumers, buffer)
    users = cache_blocks.add_nested_blocks(consumers)
    apart = {*tree.writers.get(buffer, ())}
    group = users if users or writer is None else _readers_of_same_values(ref, scope, writer, buffer)
    behind = [user for user in group if writer is not None and not is_inside(user, writer) and is_before(writer, user)]
    early = [user for user in users if user not in behind and first_region(user.block.reads, buffer) is not None]
    if writer is not None and behind and early:
        why = f"it reads {buffer.name} before block {writer.block.name_hint} writes it, others read it after that"
        raise InvalidConsumerError(block=early[0].block.name_hint, buffer=buffer.name, why=why, at=[early[0].block])
    if writer is not None and not behind:
        _check_not_carried(writer, group, buffer)
    if writer is None or (group and not behind):
        place = cache_blocks.CopySite(scope, "first")
        stated = first_region(scope.block.reads, buffer)
        is_known = stated is not None and (not is_bound or _reads_only(scope.block, stated))
        region = stated.region if stated is not None and is_known else full_region(buffer)
    else:
        place = cache_blocks.find_copy_site(scope, writer, behind)
        written = first_region(writer.block.writes, buffer)
        assert written is not None, "the writer writes it"
        region = cache_blocks.region_at_site(writer, written, place.around)
    if writer is not None:
        apart = apart.union(readers(scope, buffer)).difference(group)
    copy = cache_blocks.BufferCopy(buffer, region, storage_scope, is_full=_is_full_copy(place, scope, region))
    block, stage = copy.stage(place.around, is_read=True)
    if is_bound:  # loops and conditions of the scope read the copy too
        redirection = cache_blocks.BufferRedirection(buffer, copy.cache, copy.start)
        old = scope.block
        new_block = old.replace(body=redirection.rewrite(old.body))
        tree.replace(scope, new_block, {**redirection.blocks, new_block: old})
        return cache_blocks.insert_copy(scope, place, stage, block, copy.cache)
    only = {user.block for user in users} or None
    for reader in cache_blocks.outermost_in_scope(users or [*tree.readers[buffer]], scope, apart):
        cache_blocks.redirect_accesses(reader, cache_blocks.BufferRedirection(buffer, copy.cache, copy.start, only))
    return cache_blocks.insert_copy(scope, place, stage, block, copy.cache)


def _is_never_written(scope: StmtRef, buffer: Buffer) -> bool:
    """Whether nothing in a scope, nor a block outside of it, writes a buffer."""
    stores = (node for node in nodes(scope.block.body) if isinstance(node, BufferStore))
    return not scope.tree.writers.get(buffer) and all(store.buffer is not buffer for store in stores)


def _reads_only(block: Block, stated: BufferRegion) -> bool:
    """Whether what a block reads of a buffer is the region that it states."""
    reads, _, _ = access_regions(block, {stated.buffer.data: stated.buffer})
    read = first_region(reads, stated.buffer)
    return read is not None and all(
        expr_deep_equal(a.min, b.min) and expr_deep_equal(a.extent, b.extent)
        for a, b in zip(read.region, stated.region, strict=True)
    )


def _check_readers_covered(scope: StmtRef, buffer: Buffer) -> None:
    """Raise `NotRegionCoverError` unless earlier blocks write all that the scope reads of a buffer."""
    for reader in readers(scope, buffer):
        check_region_cover(reader)


def _readers_of_same_values(ref: StmtRef, scope: StmtRef, writer: StmtRef, buffer: Buffer) -> list[StmtRef]:
    """Return the readers of the scope on the same side of the writer as a block."""
    behind = cache_blocks.readers_after(scope, writer)
    if ref is writer or ref in behind:
        return behind
    return [reader for reader in readers(scope, buffer) if reader not in behind and reader is not writer]


def _check_not_carried(writer: StmtRef, earlier: Sequence[StmtRef], buffer: Buffer) -> None:
    """Raise `InvalidConsumerError` if blocks before the writer read what it wrote in an earlier iteration."""
    for ref in earlier:
        if ref is not writer and not is_inside(ref, writer) and reads_earlier_iterations(ref, writer, buffer):
            why = f"it reads what block {writer.block.name_hint} wrote in an earlier iteration"
            raise InvalidConsumerError(block=ref.block.name_hint, buffer=buffer.name, why=why, at=[ref.block])


def _check_consumers(scope: StmtRef, consumers: Sequence[StmtRef], buffer: Buffer) -> None:
    """Raise `InvalidConsumerError` unless blocks are inside of the scope of a copy."""
    for ref in consumers:
        if ref is scope or not is_inside(ref, scope):
            why = f"it is not inside of block {scope.block.name_hint}"
            raise InvalidConsumerError(block=ref.block.name_hint, buffer=buffer.name, why=why, at=[ref.block])


def _check_consumers_behind(scope: StmtRef, writer: StmtRef, users: Sequence[StmtRef], buffer: Buffer) -> None:
    """Raise an error unless blocks read a buffer after its writer, and only what it writes."""
    for ref in users:
        if is_inside(ref, writer) or first_region(ref.block.reads, buffer) is None:
            continue
        if not is_before(writer, ref):
            why = f"it reads {buffer.name} before block {writer.block.name_hint} writes it"
            raise InvalidConsumerError(block=ref.block.name_hint, buffer=buffer.name, why=why, at=[ref.block])
        if ref in readers(scope, buffer):
            check_region_cover(ref)


def _cache_write(ref: StmtRef, index: int, storage_scope: str, consumers: list[StmtRef]) -> StmtRef:
    check_storage_scope(storage_scope, ref)
    buffer = buffer_at(ref, index, "write")
    check_not_beside_blocks(buffer, ref)
    scope = enclosing_scope(ref, "cache_write")
    cache_blocks.only_writer(scope, buffer)
    cache_blocks.check_written(ref.block, buffer)
    check_sums_begin_inside(scope, ref)
    _check_consumers(scope, consumers, buffer)
    users = cache_blocks.add_nested_blocks(consumers)
    _check_consumers_behind(scope, ref, users, buffer)
    behind = cache_blocks.readers_after(scope, ref)
    _check_not_carried(ref, [reader for reader in readers(scope, buffer) if reader not in behind], buffer)
    place = cache_blocks.find_copy_site(scope, ref, [reader for reader in behind if reader not in users])
    written = first_region(ref.block.writes, buffer)
    assert written is not None, "the block writes it"
    region = cache_blocks.region_at_site(ref, written, place.around)
    if buffer not in scope.block.alloc_buffers:
        why = None
        if not writes_whole_box(ref, written, region, place.around):
            why = "does not write the whole region"
        elif not writes_unconditionally(ref.block, buffer):
            why = f"writes {buffer.name} only under a condition"
        elif not writes_own_region(ref, written):
            why = f"may not write all of {written}"
        if why is not None:
            raise cache_blocks.UnwrittenCopyError(
                buffer=buffer.name, block=ref.block.name_hint, why=why, at=[ref.block]
            )
    copy = cache_blocks.BufferCopy(buffer, region, storage_scope, is_full=_is_full_copy(place, scope, region))
    block, stage = copy.stage(place.around, is_read=False)
    only = {user.block for user in users}
    cache_blocks.redirect_accesses(
        ref, cache_blocks.BufferRedirection(buffer, copy.cache, copy.start, with_writers=True)
    )
    for user in cache_blocks.outermost_in_scope([user for user in users if user is not ref], scope):
        cache_blocks.redirect_accesses(
            user, cache_blocks.BufferRedirection(buffer, copy.cache, copy.start, only, with_writers=True)
        )
    return cache_blocks.insert_copy(scope, place, stage, block, copy.cache)


def _is_full_copy(place: cache_blocks.CopySite, scope: StmtRef, region: Region) -> bool:
    """Whether a copy has the shape of the buffer, not of the region: the offset must not depend on a loop around it."""
    return place.around is not scope or any(loop.loop.loop_var in uses(region) for loop in visible_loops(scope))


def _contains(outer: Region, inner: Region) -> bool:
    """Whether one region of a buffer provably contains another."""
    analyzer = Analyzer()
    return all(
        analyzer.can_prove(LE(*match_types(left.min, right.min)))
        and analyzer.can_prove(LE(*match_types(fold.add(right.min, right.extent), fold.add(left.min, left.extent))))
        for left, right in zip(outer, inner, strict=True)
    )


def _cache_inplace(ref: StmtRef, index: int, storage_scope: str) -> list[StmtRef]:
    check_storage_scope(storage_scope, ref)
    read = region_at(ref, index, "read")
    buffer, stmt = read.buffer, ref.block
    check_not_beside_blocks(buffer, ref)
    scope = enclosing_scope(ref, "cache_inplace")
    _check_readers_covered(scope, buffer)
    written = first_region(stmt.writes, buffer)
    if written is None:
        raise NotReadWriteError(block=stmt.name_hint, buffer=buffer.name, at=[stmt])
    if not _contains(read.region, written.region) and not writes_own_region(ref, written):
        raise cache_blocks.UnwrittenCopyError(
            buffer=buffer.name,
            block=stmt.name_hint,
            why=f"may not write all of {written}, and reads {read}",
            at=[stmt],
            legal="write what is read, or write all of it without a condition",
        )
    realize, tree = realize_of(ref), ref.tree
    copy = cache_blocks.BufferCopy(buffer, tuple(bind_region(read, realize)), storage_scope, is_full=True)
    back = cache_blocks.BufferCopy(
        buffer, tuple(bind_region(written, realize)), storage_scope, is_full=True, cache=copy.cache
    )
    cache_blocks.redirect_accesses(ref, cache_blocks.BufferRedirection(buffer, copy.cache, with_writers=True))
    around = cast(StmtRef, ref.parent)
    first, there = copy.stage(around, is_read=True, predicate=realize.predicate)
    last, here = back.stage(around, is_read=False, predicate=realize.predicate)
    tree.replace(ref, SeqStmt((there, realize_of(ref), here)))
    cache_blocks.allocate_buffer(scope, copy.cache)
    return [cache_blocks.register_copy(tree, first), cache_blocks.register_copy(tree, last)]
