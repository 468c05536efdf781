"""Inlining producers: what a block computes is computed where it is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tvmscript.ir.analysis.block_access import block_access
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.forms import IterMapLevel
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.core.visit import on
from tvmscript.ir.schedule.base import Recorder, primitive
from tvmscript.ir.schedule.bindings import bind_around, bind_axes
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.facts import check_complete_block, check_not_output_block, pipeline_scope
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.removal import removable, remove
from tvmscript.ir.schedule.tree import Ref, is_inside
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Range
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BufferStore, For
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var


class HasInitBlock(ScheduleError):
    """The block is a reduction: what it computes is no single value that could stand in another block."""

    code = "TS4134"
    message = "block {block} has an init"
    advice = "decompose_reduction makes a block of its own of the init"


class NotSingleReadWriteBuffer(ScheduleError):
    """The block has to write one region; to be inlined into its producer, to read one buffer made in its scope."""

    code = "TS4135"
    message = "block {block} {does} {count} {what}, where one is needed"


class BodyAnalysisError(ScheduleError):
    """The block cannot be inlined: it has to be one store, whose value can be computed where it is needed."""

    code = "TS4136"
    message = "block {block} cannot be inlined: {why}"


class OpaqueAccessError(ScheduleError):
    """The buffer is used by its address or through T.match_buffer: what is read there cannot be computed instead."""

    code = "TS4137"
    message = "{buffer} is used by its address or matched in block {block}"


class ComputeInline(Recorder):
    """compute_inline"""

    @primitive("ComputeInline", inputs=("block",))
    def compute_inline(self, block: BlockRV | str) -> None:
        """The value that a block stores is computed wherever it is read; the block and its buffer are gone.

        Raises `HasInitBlock`, `NotSingleReadWriteBuffer`, `RootBlockError`, `NotStagePipelineError`,
        `OutputBlockError`, `IncompleteBlockError`, `BodyAnalysisError`, `OnlyLeafError`, `OpaqueAccessError`.
        """
        inline_producer(self.block(block))


def inline_producer(ref: Ref, *, only_check: bool = False) -> None:
    """Do what `compute_inline` does."""
    block = ref.block
    if block.init is not None:
        raise HasInitBlock(block=block.name_hint, at=[block])
    buffer = single_write(block)
    scope = pipeline_scope(ref, "compute_inline")
    check_not_output_block(ref, scope)
    check_complete_block(ref, scope)
    indices, value = _as_function(block)
    removed = removable(ref)
    changes = [_inlined(consumer, buffer, block, indices, value) for consumer in outermost(ref, buffer)]
    if only_check:
        return
    tree = ref.tree
    for consumer, made, blocks in changes:
        tree.replace(consumer, made, blocks)
    remove(removed, scope, buffer)


def single_write(block: Block) -> Buffer:
    """The buffer of the one region that a block writes. Raises `NotSingleReadWriteBuffer`."""
    if len(block.writes) != 1:
        raise NotSingleReadWriteBuffer(
            block=block.name_hint, does="writes", count=len(block.writes), what="regions", at=[block]
        )
    return block.writes[0].buffer


def _as_function(block: Block) -> tuple[tuple[Var, ...], Expr]:
    """Variables for the indices of the element that a block stores, and the value for these.

    Raises `BodyAnalysisError`.
    """
    store = block.body
    if not isinstance(store, BufferStore):
        raise BodyAnalysisError(block=block.name_hint, why="it is not one store", at=[block])
    if store.predicate is not None:
        raise BodyAnalysisError(block=block.name_hint, why="its store has a predicate", at=[block])
    indices = [index for index in store.indices if isinstance(index, Var)]
    axes = {axis.var for axis in block.iter_vars}
    if len(indices) == len(store.indices) == len(axes) and axes == {*indices}:
        return tuple(indices), store.value
    domains = {axis.var: axis.dom for axis in block.iter_vars if axis.dom is not None}
    detected = detect_iter_map(
        store.indices, domains, True, IterMapLevel.Bijective, simplify_trivial_iterators=False
    ).indices
    if not detected:
        why = f"its axes cannot be told from the indices of {store.buffer.name}"
        raise BodyAnalysisError(block=block.name_hint, why=why, at=[block])
    places = tuple(Var(f"ph_{place}", index.dtype) for place, index in enumerate(store.indices))
    values = inverse_affine_iter_map(detected, places)
    for axis in block.iter_vars:
        if axis.dom is not None and axis.var not in values and isinstance(axis.dom.min, IntImm):
            values[axis.var] = axis.dom.min
    return places, substitute(store.value, values)


def outermost(producer: Ref, buffer: Buffer) -> Iterable[Ref]:
    """The blocks that say that they read or write a buffer, without those that are in one of them."""
    tree = producer.tree
    found = [ref for ref in {**tree.readers.get(buffer, {}), **tree.writers[buffer]} if ref is not producer]
    return [ref for ref in found if not any(ref is not other and is_inside(ref, other) for other in found)]


def _inlined(
    consumer: Ref, buffer: Buffer, producer: Block, indices: tuple[Var, ...], value: Expr
) -> tuple[Ref, Block, Mapping[Block, Block]]:
    rewriter = _Inlining(buffer, indices, value, visible_buffers([producer, *blocks_around(consumer)]))
    bind_around(rewriter.analyzer, consumer)
    made: Block = rewriter.rewrite(consumer.block)
    if rewriter.is_opaque:
        raise OpaqueAccessError(buffer=buffer.name, block=consumer.block.name_hint, at=[consumer.block])
    return consumer, made, rewriter.blocks


def blocks_around(ref: Ref) -> Iterable[Block]:
    """The blocks around a loop or block, the innermost first."""
    at = ref.parent
    while at is not None:
        if at.is_block:
            yield at.block
        at = at.parent


def visible_buffers(blocks: Iterable[Block]) -> dict[Var, Buffer]:
    """The buffers that blocks access and allocate, by their data."""
    found: dict[Var, Buffer] = {}
    for block in blocks:
        for buffer in block.alloc_buffers:
            found[buffer.data] = buffer
        for region in (*block.reads, *block.writes):
            found[region.buffer.data] = region.buffer
    return found


class BlockRewriter(TirRewriter):
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
        self.analyzer.bind(node.loop_var, Range(node.min, node.extent), allow_override=True)
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


class _Inlining(BlockRewriter):
    def __init__(self, buffer: Buffer, indices: tuple[Var, ...], value: Expr, visible: dict[Var, Buffer]) -> None:
        super().__init__(buffer, visible)
        self.indices_of_value = indices
        self.value_of_element = value

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        made: Expr = super().load(node)
        if not isinstance(made, BufferLoad) or made.buffer is not self.buffer:
            return made
        values: dict[Any, Any] = dict(zip(self.indices_of_value, made.indices, strict=True))
        return self.analyzer.simplify(substitute(self.value_of_element, values))
