"""Caches of the region that one iteration of a loop accesses: read_at, write_at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, intersect, union
from tvmscript.ir.core import on
from tvmscript.ir.schedule.analysis.access_checks import reads_before_write, unproven_bounds, writes_unconditionally
from tvmscript.ir.schedule.analysis.bindings import loop_ranges
from tvmscript.ir.schedule.analysis.block_properties import (
    check_reads_only_updated,
    check_sums_begin_inside,
    pipeline_scope,
)
from tvmscript.ir.schedule.analysis.region_cover import (
    bind_region,
    loop_ranges_below,
    writes_own_region,
    writes_whole_box,
)
from tvmscript.ir.schedule.analysis.region_relaxation import relax_range
from tvmscript.ir.schedule.analysis.regions import Region, first_region, full_region
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite import cache_blocks, replace_buffer
from tvmscript.ir.schedule.rewrite.block_rewriter import check_not_beside_blocks
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, child_containing, child_stmts, realize_of, visible_loops
from tvmscript.ir.tir import Buffer, Expr, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, IterKind, IterVar, Range
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, IfThenElse, SeqStmt, seq


class InvalidCopyError(ScheduleError, code="TS4174"):
    """The loop does not access the buffer as required; or a write after the first read, or a read after the last write,
    would miss the copy.
    """

    message = "{buffer} cannot be cached in loop {loop}: {why}"


class CopyAt(Recorder):
    """Buffer copies."""

    @primitive(
        "ReadAt",
        inputs=("loop", "block"),
        attrs=("read_buffer_index", "storage_scope"),
    )
    def read_at(
        self, loop: LoopRV, block: BlockRV | str, read_buffer_index: int | str | Buffer, storage_scope: str
    ) -> BlockRV:
        """In each iteration of a loop, copy the region that is read of a buffer to another storage scope.

        The buffer is a read buffer of the block; all blocks in the loop read the copy. Returns the new block.
        Raises `BufferIndexOutOfRangeError`, `InvalidStorageScopeError`, `NotStagePipelineError`, `InvalidCopyError`,
        `OpaqueAccessError`.
        """
        ref = self.block(block)
        buffer = replace_buffer.buffer_at(ref, replace_buffer.require_buffer_index(read_buffer_index), "read")
        replace_buffer.check_storage_scope(storage_scope, ref)
        return self.new_block(_copy_at(self.loop(loop), buffer, "read", storage_scope))

    @primitive(
        "WriteAt",
        inputs=("loop", "block"),
        attrs=("write_buffer_index", "storage_scope"),
    )
    def write_at(
        self, loop: LoopRV, block: BlockRV | str, write_buffer_index: int | str | Buffer, storage_scope: str
    ) -> BlockRV:
        """In each iteration of a loop, write a region to another storage scope, and copy it to the buffer.

        The buffer is a write buffer of the block; all blocks in the loop use the copy. Returns the new block.
        Raises the errors of `read_at`, and `NotReductionBlockError`.
        """
        ref = self.block(block)
        buffer = replace_buffer.buffer_at(ref, replace_buffer.require_buffer_index(write_buffer_index), "write")
        replace_buffer.check_storage_scope(storage_scope, ref)
        return self.new_block(_copy_at(self.loop(loop), buffer, "write", storage_scope))


def _copy_at(loop: StmtRef, buffer: Buffer, side: replace_buffer.Side, storage_scope: str) -> StmtRef:
    scope, tree = pipeline_scope(loop, f"{side}_at"), loop.tree
    users = {ref: _access_sides(ref, buffer) for ref in blocks_below(loop)}
    place = _find_position(loop, buffer, {ref: sides for ref, sides in users.items() if sides}, side)
    for ref in users:
        check_not_beside_blocks(buffer, ref)
    new_buffer = replace_buffer.new_memory(buffer, storage_scope)
    region = _required_region(
        [ref for ref, sides in users.items() if side in sides], loop, buffer, side, new_buffer.storage_scope
    )
    source, target = (buffer, new_buffer) if side == "read" else (new_buffer, buffer)
    if side == "write":
        writers = [ref for ref, sides in users.items() if side in sides]
        _check_written(loop, buffer, writers, region)
        for ref in writers:
            check_sums_begin_inside(scope, ref)
    copy = _make_copy_block(loop, source, target, region, new_buffer.name)
    at = _positions(loop, users)
    for ref, sides in users.items():
        if sides and (at[ref] >= place if side == "read" else at[ref] < place):
            cache_blocks.redirect_accesses(ref, cache_blocks.BufferRedirection(buffer, new_buffer, with_writers=True))
    parts = _stmts_of(loop)
    tree.replace(loop, loop.loop.replace(body=seq(*parts[:place], copy, *parts[place:])))
    cache_blocks.allocate_buffer(scope, new_buffer)
    return cache_blocks.register_copy(tree, copy.block)


def _check_written(loop: StmtRef, buffer: Buffer, blocks: Sequence[StmtRef], region: Region) -> None:
    """Raise `InvalidCopyError` unless a block provably writes the whole copied region."""
    for ref in blocks:
        check_reads_only_updated(ref.block)
    for ref in blocks:
        parts = [part for part in ref.block.writes if part.buffer is buffer]
        if writes_unconditionally(ref.block, buffer) and any(
            writes_whole_box(ref, part, region, loop) and writes_own_region(ref, part) for part in parts
        ):
            return
    raise InvalidCopyError(
        buffer=buffer.name,
        loop=loop.loop.loop_var.name,
        why="no block writes the whole copied region",
        at=[loop.loop, *(ref.block for ref in blocks)],
    )


def _stmts_of(loop: StmtRef) -> Sequence[Stmt]:
    body = loop.loop.body
    return body.seq if isinstance(body, SeqStmt) else (body,)


def _positions(loop: StmtRef, blocks: Iterable[StmtRef]) -> dict[StmtRef, int]:
    """Return the index of the statement in the loop body that contains each block."""
    at = {item: place for place, part in enumerate(_stmts_of(loop)) for item in child_stmts(part)}
    return {ref: at[cast("For | Block", child_containing(loop, ref).stmt)] for ref in blocks}


def _access_sides(ref: StmtRef, buffer: Buffer) -> set[replace_buffer.Side]:
    """Return the sides, read and write, on which a block accesses a buffer."""
    sides: tuple[replace_buffer.Side, ...] = ("read", "write")
    return {side for side in sides if first_region(replace_buffer.regions_of(ref.block, side), buffer) is not None}


def _find_position(
    loop: StmtRef, buffer: Buffer, users: Mapping[StmtRef, set[replace_buffer.Side]], side: replace_buffer.Side
) -> int:
    """Return the position before the first read of a buffer, or after its last write.

    Raises `InvalidCopyError` if an access would miss the copy.
    """
    at = _positions(loop, users)
    reads, writes = ([at[ref] for ref, sides in users.items() if mine in sides] for mine in ("read", "write"))
    if not (reads if side == "read" else writes):
        why = f"no block in the loop {side}s it"
    elif side == "read" and max(writes, default=-1) >= min(reads):
        why = "it is written after the first read"
    elif side == "write" and reads_before_write(loop.loop.body, buffer):
        why = "it is read before it is written"
    elif side == "write" and max(reads, default=-1) > max(writes):
        why = "it is read after the last write"
    else:
        return min(reads) if side == "read" else max(writes) + 1
    raise InvalidCopyError(
        buffer=buffer.name, loop=loop.loop.loop_var.name, why=why, at=[loop.loop, *(ref.block for ref in users)]
    )


def _required_region(
    blocks: Sequence[StmtRef], loop: StmtRef, buffer: Buffer, side: replace_buffer.Side, storage_scope: str
) -> Region:
    """Return the region of a buffer that blocks access in one iteration of a loop."""
    boxes: list[list[IntervalSet]] = []
    for ref in blocks:
        realize, domains = realize_of(ref), loop_ranges_below(ref, loop, storage_scope)
        used = [region for region in replace_buffer.regions_of(ref.block, side) if region.buffer is buffer]
        boxes += [[relax_range(part, domains) for part in bind_region(region, realize)] for region in used]
    joined = [union(parts) for parts in zip(*boxes, strict=True)]
    items = [part.cover_range(whole) for part, whole in zip(joined, full_region(buffer), strict=True)]
    return tuple([cast(Range, part) for part in items])


def _make_copy_block(loop: StmtRef, source: Buffer, target: Buffer, region: Region, name: str) -> BlockRealize:
    """Make a block that contains loops which copy a region from one buffer to another."""
    around = loop_ranges(ref.loop for ref in (*visible_loops(loop), loop))
    axes = _AxisOfLoop(around)
    region = tuple([Range.from_min_extent(axes.rewrite(part.min), axes.rewrite(part.extent)) for part in region])
    analyzer = Analyzer()
    for axis, domain in axes.axes.values():
        analyzer.bind(axis, domain)
    loops: list[tuple[Var, Range]] = []
    indices: list[Expr] = []
    inside: Expr = fold.TRUE
    held: list[Range] = []
    for place, (part, size) in enumerate(zip(region, source.shape, strict=True)):
        var = Var(f"ax{place}", part.extent.dtype)
        domain = Range.from_min_extent(IntImm(var.dtype, 0), part.extent)
        loops.append((var, domain))
        analyzer.bind(var, domain)
        indices.append(cache_blocks.add_offset(part.min, var))
        whole = Range.from_min_extent(IntImm(size.dtype, 0), size)
        outside = unproven_bounds(indices[-1], size, analyzer)
        for condition in outside:
            inside = fold.logical_and(inside, condition)
        held.append(_intersect(part, whole, analyzer) if outside else part)
    body: Stmt = BufferStore(target, BufferLoad(source, tuple(indices)), tuple(indices))
    if inside is not fold.TRUE:
        body = IfThenElse(inside, body)
    block = Block(
        tuple([IterVar(domain, axis, IterKind.DATA_PAR) for axis, domain in axes.axes.values()]),
        (BufferRegion(source, tuple(held)),),
        (BufferRegion(target, tuple(held)),),
        name,
        cache_blocks.wrap_in_loops(loops, body),
        annotations={"auto_copy": 1},
    )
    return BlockRealize(tuple(axes.axes), fold.TRUE, block)


def _intersect(part: Range, whole: Range, analyzer: Analyzer) -> Range:
    """Return the intersection of two ranges."""
    both = intersect((IntSet.from_range(part), IntSet.from_range(whole)), analyzer)
    return cast(Range, both.cover_range(whole, analyzer))


class _AxisOfLoop(TirRewriter):
    """Replace loop variables by block axes, numbered in the order of their first use."""

    def __init__(self, loops: Mapping[Var, Range]) -> None:
        super().__init__()
        self.loops = loops
        #: loop variable -> axis and its domain
        self.axes: dict[Var, tuple[Var, Range]] = {}

    @on(Var)
    def variable(self, node: Var) -> Var:
        if node not in self.loops:
            return node
        if node not in self.axes:
            self.axes[node] = Var(f"v{len(self.axes)}", node.dtype), self.loops[node]
        return self.axes[node][0]
