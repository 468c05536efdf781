"""Ring buffers for overlapping tiles: rolling_buffer."""

from __future__ import annotations

from typing import NamedTuple

from tvmscript.ir.analysis.blocks.block_access import block_access
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import eval_set
from tvmscript.ir.core import on
from tvmscript.ir.schedule.analysis.block_properties import (
    check_not_output_block,
    enclosing_scope,
    pipeline_scope,
    recompute_facts,
)
from tvmscript.ir.schedule.analysis.block_scope import consumers, readers, writers
from tvmscript.ir.schedule.analysis.region_cover import bind_region, loop_ranges_below
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.replace_buffer import BufferReplacer, region_at, require_buffer_index
from tvmscript.ir.schedule.tree import StmtRef, common_ancestor, loops_above, realize_of
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferStore, Expr, ForKind, Var, substitute
from tvmscript.ir.tir import expr as tir


class RollingBufferInsertionError(ScheduleError, code="TS4175"):
    """The block and its consumers must share a loop over the tiles."""

    message = "block {block} and the consumers of {buffer} share no loop"
    advice = "move the block into a loop of its consumers by compute_at"


class RollingBufferMatchError(ScheduleError, code="TS4176"):
    """In one dimension, the regions of successive iterations of the loop must overlap: the region starts at the loop
    variable or a multiple of it, and its constant extent is larger than the step.
    """

    message = "the region {region} of block {block} does not overlap between iterations of loop {loop}"


class RollingBufferDependencyError(ScheduleError, code="TS4177"):
    """The block must be the only writer of the buffer, and no earlier block may read it."""

    message = "block {block} is not the only writer of {buffer}, or an earlier block reads it"


class UnorderedRingError(ScheduleError, code="TS4179"):
    """The loop over the tiles must be sequential: a tile reuses elements of the one before it. TVM does not check this,
    and computes other values.
    """

    message = "loop {loop} over the tiles must be serial, but is {kind}"
    advice = "apply rolling_buffer before the loop is parallelized, vectorized or bound"


class TileAtOnceError(ScheduleError, code="TS4194"):
    """The block must write one element of the ring dimension at a time, so that it can skip those of the previous tile.
    TVM skips the new ones as well.
    """

    message = "block {block} writes several elements of {buffer} in one iteration: {region}"
    advice = "let the block write a single element, in loops over the tile"


class RollingBuffer(Recorder):
    """Buffer copies."""

    @primitive("RollingBuffer", inputs=("block",), attrs=("write_buffer_index",))
    def rolling_buffer(self, block: BlockRV | str, write_buffer_index: int | str | Buffer) -> None:
        """Shrink a buffer that is computed in overlapping tiles to a ring of one tile; compute each element once.

        The block and its consumers are in the loop over the tiles. Raises `BufferIndexOutOfRangeError`,
        `RootBlockError`, `NotStagePipelineError`, `OutputBlockError`, `RollingBufferDependencyError`,
        `RollingBufferInsertionError`, `RollingBufferMatchError`, `UnorderedRingError`,
        `TileAtOnceError`.
        """
        _make_ring(self.block(block), require_buffer_index(write_buffer_index))


#: sequential kinds of loops
_IN_ORDER = (ForKind.SERIAL, ForKind.UNROLLED)


class _Tile(NamedTuple):
    """The tiling of one dimension: `loop` steps through it; successive tiles share `overlap` elements."""

    loop: Var | None
    overlap: int
    extent: Expr


def _make_ring(ref: StmtRef, index: int) -> None:
    region = region_at(ref, index, "write")
    buffer, tree = region.buffer, ref.tree
    scope = enclosing_scope(ref, "rolling_buffer")
    check_not_output_block(ref, scope)
    _check_dependences(ref, scope, buffer)
    pipeline_scope(ref, "rolling_buffer")
    around = common_ancestor([ref, *consumers(ref)])
    if around.is_block:
        raise RollingBufferInsertionError(block=ref.block.name_hint, buffer=buffer.name, at=[ref.block])
    tiles, axis = _find_tiles(ref, around, region)
    ring = buffer.replace(shape=(*buffer.shape[:axis], tiles[axis].extent, *buffer.shape[axis + 1 :]))
    rolling = _RingRewriter(buffer, ring, axis, ref.block, _skip_known_elements(ref, region, tiles))
    old = scope.block
    new_scope = rolling.scope(old)
    tree.replace(scope, new_scope, {**rolling.blocks, new_scope: old})
    recompute_facts(scope)


def _check_dependences(ref: StmtRef, scope: StmtRef, buffer: Buffer) -> None:
    """Raise `RollingBufferDependencyError` unless the block is the only writer and precedes all readers."""
    others = [other for other in writers(scope, buffer) if other is not ref]
    before = set(readers(scope, buffer)).difference(consumers(ref), [ref])
    if others or before:
        at = [ref.block, *(other.block for other in (*others, *before))]
        raise RollingBufferDependencyError(block=ref.block.name_hint, buffer=buffer.name, at=at)


def _find_tiles(ref: StmtRef, around: StmtRef, region: tir.BufferRegion) -> tuple[list[_Tile], int]:
    """Return the tiling of each dimension and the index of the ring dimension. Raises `RollingBufferMatchError`."""
    domains = loop_ranges_below(ref, around, region.buffer.storage_scope)
    analyzer = Analyzer()
    parts: list[tir.Range] = []
    for part in bind_region(region, realize_of(ref)):
        box = eval_set(part, domains)
        first = analyzer.simplify(box.min_value)
        one = tir.IntImm(first.dtype, 1)
        parts.append(tir.Range.from_min_extent(first, analyzer.simplify(fold.add(fold.sub(box.max_value, first), one))))
    tiles = [_match_tile(part) for part in parts]
    for loop in (above.loop for above in loops_above(ref)):
        for axis, tile in enumerate(tiles):
            if tile is not None and tile.loop is loop.loop_var:
                if loop.kind not in _IN_ORDER:
                    raise UnorderedRingError(loop=loop.loop_var.name, kind=loop.kind.name.lower(), at=[loop])
                return [item for item in tiles if item is not None], axis
        if None in tiles:
            break
    raise RollingBufferMatchError(
        block=ref.block.name_hint,
        loop=around.loop.loop_var.name,
        region=tir.BufferRegion(region.buffer, tuple(parts)),
        at=[ref.block, around.loop],
    )


def _match_tile(part: tir.Range) -> _Tile | None:
    """Match the tiling of a dimension; None if it has another form."""
    first: Expr = part.min
    divisor = 1
    if isinstance(first, tir.IntImm):
        return _Tile(None, 0, part.extent)
    if isinstance(first, tir.FloorDiv) and isinstance(first.b, tir.IntImm):
        divisor, first = first.b.value, first.a
        if not isinstance(first, tir.Mul):
            return None
    step = 1
    if isinstance(first, tir.Mul) and isinstance(first.b, tir.IntImm):
        step, first = first.b.value, first.a
    if not isinstance(first, Var) or not isinstance(part.extent, tir.IntImm):
        return None
    overlap = part.extent.value - -(-step // divisor)
    return _Tile(first if overlap > 0 else None, overlap, part.extent)


def _skip_known_elements(ref: StmtRef, region: tir.BufferRegion, tiles: list[_Tile]) -> Expr:
    """Return the predicate of the block without the elements of the previous tile."""
    realize = realize_of(ref)
    analyzer = Analyzer()
    predicate = realize.predicate
    for part, tile in zip(bind_region(region, realize), tiles, strict=True):
        if tile.loop is not None:
            if not fold.is_const(part.extent, 1):
                block = ref.block
                raise TileAtOnceError(block=block.name_hint, buffer=region.buffer.name, region=region, at=[block])
            zero = tir.IntImm(tile.loop.dtype, 0)
            inner = analyzer.simplify(substitute(part.min, {tile.loop: zero}))
            is_first = tir.LT(tile.loop, tir.IntImm(tile.loop.dtype, 1))
            is_new = tir.Or(is_first, tir.GE(inner, tir.IntImm(inner.dtype, tile.overlap)))
            predicate = analyzer.simplify(tir.And(predicate, is_new))
    return predicate


class _RingRewriter(BufferReplacer):
    """Rewrite accesses of the buffer to the ring, and set the predicate of its writer."""

    def __init__(self, buffer: Buffer, ring: Buffer, axis: int, writer: Block, predicate: Expr) -> None:
        super().__init__({buffer: ring})
        self.buffer = buffer
        self.ring = ring
        self.axis = axis
        self.writer = writer
        self.predicate = predicate

    def scope(self, block: Block) -> Block:
        """Rewrite the block that allocates the buffer."""
        allocated = tuple([self.ring if item is self.buffer else item for item in block.alloc_buffers])
        return block.replace(alloc_buffers=allocated, body=self.rewrite(block.body))

    def rolled(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Return the indices of the ring for those of the buffer."""
        index = fold.make(tir.FloorMod, indices[self.axis], self.ring.shape[self.axis])
        return (*indices[: self.axis], index, *indices[self.axis + 1 :])

    @on(tir.BufferLoad)
    def load(self, node: tir.BufferLoad) -> Expr:
        expr: Expr = super().load(node)
        if node.buffer is not self.buffer or not isinstance(expr, tir.BufferLoad):
            return expr
        return expr.replace(indices=self.rolled(expr.indices))

    @on(BufferStore)
    def store(self, node: BufferStore) -> BufferStore:
        new_store: BufferStore = super().store(node)  # type: ignore[assignment]
        return (
            new_store if node.buffer is not self.buffer else new_store.replace(indices=self.rolled(new_store.indices))
        )

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> BlockRealize:
        new_realize: BlockRealize = self.descend(node)
        return new_realize.replace(predicate=self.predicate) if node.block is self.writer else new_realize

    @on(Block)
    def block(self, node: Block) -> Block:
        new_block = super().block(node)
        self.blocks.pop(new_block, None)
        changes: dict[str, tuple[tir.BufferRegion, ...]] = {}
        if new_block is not node:
            regions = block_access(new_block, {self.ring.data: self.ring})
            for name, new in zip(("reads", "writes"), regions, strict=True):
                changes[name] = tuple([new[0] if old.buffer is self.ring else old for old in getattr(new_block, name)])
        axes = list(new_block.iter_vars)
        if self.axis < len(axes):
            # its iterations are ordered now; TVM marks the axis of all blocks
            axes[self.axis] = tir.IterVar(axes[self.axis].dom, axes[self.axis].var, tir.IterKind.OPAQUE)
        new_block = new_block.replace(iter_vars=tuple(axes), **changes)
        self.blocks[new_block] = node
        return new_block
