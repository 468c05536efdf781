"""Inline a producer into its consumers: compute_inline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.core import on
from tvmscript.ir.schedule.analysis.bindings import bind_outer
from tvmscript.ir.schedule.analysis.block_properties import check_complete_block, check_not_output_block, pipeline_scope
from tvmscript.ir.schedule.analysis.block_scope import outermost_users
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.block_rewriter import (
    BufferRemovalRewriter,
    OpaqueAccessError,
    check_not_beside_blocks,
    visible_buffers,
)
from tvmscript.ir.schedule.rewrite.remove_block import removable_nest, remove_nest
from tvmscript.ir.schedule.tree import StmtRef, enclosing_blocks, loops_above
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Expr, IntImm, Var, substitute, uses


class HasInitBlock(ScheduleError, code="TS4134"):
    """A block with an init cannot be inlined: a reduction is not a single expression."""

    message = "block {block} cannot be inlined: it has an init"
    advice = "move a reduction by compute_at or reverse_compute_at"


class NotSingleReadWriteBuffer(ScheduleError, code="TS4135"):
    """The block must write one region.

    To be inlined into its producer, it must read one buffer that its scope writes.
    """

    message = "block {block} cannot be inlined: it {does} {count} {what}, exactly one is required"


class BodyAnalysisError(ScheduleError, code="TS4136"):
    """A block to inline must be a single store whose value can be computed for each element."""

    message = "block {block} cannot be inlined: {why}"
    advice = "move the block by compute_at or reverse_compute_at"


class ComputeInline(Recorder):
    """Block placement."""

    @primitive("ComputeInline", inputs=("block",))
    def compute_inline(self, block: BlockRV | str) -> None:
        """Replace loads of a block's output by the stored value; remove the block and its buffer.

        Raises `HasInitBlock`, `NotSingleReadWriteBuffer`, `RootBlockError`, `NotStagePipelineError`,
        `OutputBlockError`, `IncompleteBlockError`, `BodyAnalysisError`, `OnlyLeafError`, `OpaqueAccessError`.
        """
        inline_producer(self.block(block))


def inline_producer(ref: StmtRef, *, only_check: bool = False) -> None:
    """Apply `compute_inline`."""
    block = ref.block
    if block.init is not None:
        raise HasInitBlock(block=block.name_hint, at=[block])
    buffer = single_write(block)
    scope = pipeline_scope(ref, "compute_inline")
    check_not_output_block(ref, scope)
    check_complete_block(ref, scope)
    check_own_names(ref)
    indices, value = _extract_value(block)
    removed = removable_nest(ref)
    check_not_beside_blocks(buffer, ref)
    changes = [_inline_into(consumer, buffer, block, indices, value) for consumer in outermost_users(buffer, ref)]
    if only_check:
        return
    tree = ref.tree
    for consumer, result, blocks in changes:
        tree.replace(consumer, result, blocks)
    remove_nest(removed, scope, buffer)


def single_write(block: Block) -> Buffer:
    """Return the buffer of the only write region of a block. Raises `NotSingleReadWriteBuffer`."""
    if len(block.writes) != 1:
        raise NotSingleReadWriteBuffer(
            block=block.name_hint, does="writes", count=len(block.writes), what="regions", at=[block]
        )
    return block.writes[0].buffer


def check_own_names(ref: StmtRef) -> None:
    """Raise `BodyAnalysisError` for a body that uses what only its block or its loops define, other than axes."""
    block = ref.block
    if block.match_buffers:
        raise BodyAnalysisError(block=block.name_hint, why="it matches buffers of its own", at=[block])
    used = uses(block.body)
    for loop in loops_above(ref):
        if loop.loop.loop_var in used:
            why = f"it uses loop {loop.loop.loop_var.name}, not an axis that is bound to it"
            raise BodyAnalysisError(block=block.name_hint, why=why, at=[loop.loop, block])


def _extract_value(block: Block) -> tuple[tuple[Var, ...], Expr]:
    """Return variables for the indices of the stored element, and the value in terms of them.

    Raises `BodyAnalysisError`.
    """
    store = block.body
    if not isinstance(store, BufferStore):
        raise BodyAnalysisError(block=block.name_hint, why="its body is not a single store", at=[block])
    if store.predicate is not None:
        raise BodyAnalysisError(block=block.name_hint, why="its store has a predicate", at=[block])
    indices = [index for index in store.indices if isinstance(index, Var)]
    axes = {axis.var for axis in block.iter_vars}
    if len(indices) == len(store.indices) == len(axes) and axes == {*indices}:
        return tuple(indices), store.value
    domains = {axis.var: axis.dom for axis in block.iter_vars if axis.dom is not None}
    if not store.indices and all(fold.is_const(domain.extent, 1) for domain in domains.values()):
        return (), substitute(store.value, {axis: domain.min for axis, domain in domains.items()})
    detected = detect_iter_map(
        store.indices, domains, True, IterMapLevel.Bijective, simplify_trivial_iterators=False
    ).indices
    if not detected:
        why = f"the indices of {store.buffer.name} are not an invertible affine map of its axes"
        raise BodyAnalysisError(block=block.name_hint, why=why, at=[block])
    places = tuple(Var(f"ph_{place}", index.dtype) for place, index in enumerate(store.indices))
    values = inverse_affine_iter_map(detected, places)
    for axis in block.iter_vars:
        if axis.dom is not None and axis.var not in values and isinstance(axis.dom.min, IntImm):
            values[axis.var] = axis.dom.min
    return places, substitute(store.value, values)


def _inline_into(
    consumer: StmtRef, buffer: Buffer, producer: Block, indices: tuple[Var, ...], value: Expr
) -> tuple[StmtRef, Block, Mapping[Block, Block]]:
    rewriter = _ProducerInliner(buffer, indices, value, visible_buffers([producer, *enclosing_blocks(consumer)]))
    bind_outer(rewriter.analyzer, consumer)
    new_block: Block = rewriter.rewrite(consumer.block)
    if rewriter.is_opaque:
        raise OpaqueAccessError(buffer=buffer.name, block=consumer.block.name_hint, at=[consumer.block])
    return consumer, new_block, rewriter.blocks


class _ProducerInliner(BufferRemovalRewriter):
    def __init__(self, buffer: Buffer, indices: tuple[Var, ...], value: Expr, visible: dict[Var, Buffer]) -> None:
        super().__init__(buffer, visible)
        self.indices_of_value = indices
        self.value_of_element = value

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        expr: Expr = super().load(node)
        if not isinstance(expr, BufferLoad) or expr.buffer is not self.buffer:
            return expr
        values: dict[Any, Any] = dict(zip(self.indices_of_value, expr.indices, strict=True))
        return self.analyzer.simplify(substitute(self.value_of_element, values))
