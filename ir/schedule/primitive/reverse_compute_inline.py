"""Inline a consumer into its producer: reverse_compute_inline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.int_set import IntervalSet, IntSet
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Visitor, WrongType, on, structural_equal
from tvmscript.ir.schedule.analysis.bindings import bind_axes
from tvmscript.ir.schedule.analysis.block_properties import (
    check_complete_block,
    check_not_output_block,
    completeness_violation,
    pipeline_scope,
)
from tvmscript.ir.schedule.analysis.block_scope import buffers_of, outermost_users, writers
from tvmscript.ir.schedule.analysis.region_cover import axis_with_missed_values
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.primitive.compute_inline import (
    BodyAnalysisError,
    HasInitBlock,
    NotSingleReadWriteBuffer,
    check_own_names,
)
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.block_rewriter import (
    BufferRemovalRewriter,
    OpaqueAccessError,
    check_not_beside_blocks,
    visible_buffers,
)
from tvmscript.ir.schedule.rewrite.remove_block import removable_nest, remove_nest
from tvmscript.ir.schedule.tree import StmtRef, enclosing_blocks, is_inside, realize_of
from tvmscript.ir.tir import Block, Buffer, BufferStore, Expr, IfThenElse, Stmt, TirRewriter, Var, substitute
from tvmscript.ir.tir.expr import GE, LT, BufferLoad, IntImm, IterVar, Range


class NonSingleProducerError(ScheduleError, code="TS4138"):
    """The buffer must have a single complete producer, and no other consumer."""

    message = "block {block} cannot be inlined into the producer of {buffer}: {why}"


class ReverseComputeInline(Recorder):
    """Block placement."""

    @primitive("ReverseComputeInline", inputs=("block",))
    def reverse_compute_inline(self, block: BlockRV | str) -> None:
        """Compute a block's output directly in its producer; remove the block and the buffer between them.

        If the block does not read all values of the producer, the producer stores under a condition.
        Raises `HasInitBlock`, `RootBlockError`, `NotStagePipelineError`, `NotSingleReadWriteBuffer`,
        `IncompleteBlockError`, `NonSingleProducerError`, `OutputBlockError`, `BodyAnalysisError`, `OnlyLeafError`,
        `OpaqueAccessError`.
        """
        inline_consumer(self.block(block))


def inline_consumer(ref: StmtRef, *, only_check: bool = False) -> None:
    """Apply `reverse_compute_inline`."""
    block = ref.block
    if block.init is not None:
        raise HasInitBlock(block=block.name_hint, at=[block])
    scope = pipeline_scope(ref, "reverse_compute_inline")
    buffer = _single_read(ref, scope)
    check_complete_block(ref, scope)
    producer = _single_producer(ref, scope, buffer)
    check_not_output_block(producer, scope)
    check_own_names(ref)
    inlining = _plan_inlining(ref, producer, buffer)
    _check_no_other_consumer(ref, buffer)
    removed = removable_nest(ref)
    check_not_beside_blocks(buffer, ref)
    target = next(other for other in outermost_users(buffer, ref) if is_inside(producer, other))
    new_block: Block = inlining.rewrite(target.block)
    if inlining.is_opaque:
        raise OpaqueAccessError(buffer=buffer.name, block=target.block.name_hint, at=[target.block])
    if only_check:
        return
    ref.tree.replace(target, new_block, inlining.blocks)
    remove_nest(removed, scope, buffer)


def _single_read(ref: StmtRef, scope: StmtRef) -> Buffer:
    """Return the only buffer that a block reads and its scope writes. Raises `NotSingleReadWriteBuffer`."""
    block = ref.block
    items = [buffer for buffer in buffers_of(block.reads) if writers(scope, buffer)]
    if len(items) != 1:
        raise NotSingleReadWriteBuffer(
            block=block.name_hint,
            does="reads",
            count=len(items),
            what=f"buffers written in {scope.block.name_hint}",
            at=[block],
            legal=f"these are {listed([buffer.name for buffer in items])}" if items else None,
        )
    return items[0]


def _single_producer(ref: StmtRef, scope: StmtRef, buffer: Buffer) -> StmtRef:
    """Return the only innermost block that writes the buffer. Raises `NonSingleProducerError` unless it is complete."""
    written = [other for other in ref.tree.writers[buffer] if other is not ref]
    leaves = [one for one in written if not any(is_inside(other, one) for other in written if other is not one)]
    for leaf in leaves:
        why = completeness_violation(leaf, scope)
        if why is not None or leaf.block.init is not None:
            raise _producer_error(
                ref, buffer, f"{leaf.block.name_hint} is not a complete block: {why or 'it has an init'}", [leaf]
            )
    if len(leaves) != 1:
        raise _producer_error(ref, buffer, f"{len(leaves)} blocks write it", leaves)
    return leaves[0]


def _check_no_other_consumer(ref: StmtRef, buffer: Buffer) -> None:
    """Raise `NonSingleProducerError` if another block uses the buffer."""
    # nested blocks count as well: outer blocks may lack read regions
    own = [ref, *ref.tree.writers[buffer]]
    others = [other for other in ref.tree.readers[buffer] if not any(is_inside(other, one) for one in own)]
    others = [other for other in others if not any(is_inside(one, other) for one in own)]
    if others:
        names = listed([other.block.name_hint for other in others])
        raise _producer_error(ref, buffer, f"it is also used in {names}", others)


def _producer_error(ref: StmtRef, buffer: Buffer, why: str, others: Iterable[StmtRef]) -> NonSingleProducerError:
    at = [ref.block, *(other.block for other in others)]
    return NonSingleProducerError(block=ref.block.name_hint, buffer=buffer.name, why=why, at=at)


def _plan_inlining(ref: StmtRef, producer: StmtRef, buffer: Buffer) -> _ConsumerInliner:
    """Return the rewriter of the producer. Raises `BodyAnalysisError`."""
    block = ref.block

    def error(why: str) -> BodyAnalysisError:
        return BodyAnalysisError(block=block.name_hint, why=why, at=[block, producer.block])

    if not is_true(realize_of(ref).predicate):
        raise error("it has a predicate")
    part = axis_with_missed_values(ref)
    if part is not None:
        raise error(f"its loops do not cover the domain of axis {part.var.name}")
    store = block.body
    if not isinstance(store, BufferStore) or store.predicate is not None:
        raise error("its body is not a single store")
    loads = _LoadCollector(buffer)
    loads.visit(store)
    if not loads.nodes:
        raise error(f"its stored value does not load {buffer.name}")
    indices = loads.nodes[0].indices
    if not all(structural_equal(load.indices, indices) for load in loads.nodes):
        raise error(f"it loads {buffer.name} with different indices")
    result = _single_store(producer.block)
    if result is None:
        raise error(f"its producer {producer.block.name_hint} is not a single store, optionally under a condition")
    axes = [index for index in indices if isinstance(index, Var)]
    is_plain = (
        len(axes) == len(indices) == len({*axes} & {axis.var for axis in block.iter_vars}) == len(block.iter_vars)
    )
    values = dict(zip(axes, result.indices, strict=True)) if is_plain else _solve_axes(block, indices, result.indices)
    if values is None:
        raise error(f"the indices of {buffer.name} are not an invertible affine map of its axes")
    if not (
        _is_covered(block, producer.block, values)
        and _stores_all_loaded(block, producer.block, indices, result.indices)
    ):
        raise error(f"{producer.block.name_hint} does not compute all elements that it reads")
    if not is_plain and not _is_inverse(block, producer.block, values, indices, result.indices):
        raise error(f"it skips elements of {buffer.name}, or loads an element in several iterations")
    visible = visible_buffers([block, *enclosing_blocks(producer)])
    return _ConsumerInliner(buffer, visible, producer.block, block, store, values)


class _LoadCollector(Visitor):
    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.nodes: list[BufferLoad] = []

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        if node.buffer is self.buffer:
            self.nodes.append(node)
        self.walk(node)


def _single_store(block: Block) -> BufferStore | None:
    """Return the only store of a block, possibly under a condition; None otherwise."""
    body: Stmt = block.body
    if isinstance(body, IfThenElse) and body.else_case is None:
        body = body.then_case
    return body if isinstance(body, BufferStore) and body.predicate is None else None


def _solve_axes(block: Block, loaded: tuple[Expr, ...], stored: tuple[Expr, ...]) -> dict[Var, Expr] | None:
    """Solve for the axes of the consumer at the element that the producer stores; None if not invertible."""
    domains = {axis.var: axis.dom for axis in block.iter_vars if axis.dom is not None}
    detected = detect_iter_map(loaded, domains, True, IterMapLevel.NoCheck, simplify_trivial_iterators=False).indices
    values: dict[Var, Expr] = {
        axis.var: axis.dom.min
        for axis in block.iter_vars
        if axis.dom is not None and _is_one(axis.dom.extent) and isinstance(axis.dom.min, IntImm)
    }
    try:
        values.update(inverse_affine_iter_map(detected, stored) if detected else {})
    except WrongType:
        return None
    return values if all(axis.var in values for axis in block.iter_vars) else None


def _is_one(extent: Expr) -> bool:
    return isinstance(extent, IntImm) and extent.value == 1


def _is_covered(block: Block, producer: Block, values: dict[Var, Expr]) -> bool:
    """Whether the producer covers the domain of the consumer, unless it provably does not."""
    analyzer = Analyzer()
    domains = {axis.var: axis.dom for axis in producer.iter_vars if axis.dom is not None}
    for axis in block.iter_vars:
        if axis.dom is None:
            return False
        if _has_same_domain(axis, values[axis.var], domains):
            continue
        bounds = analyzer.int_set(values[axis.var], domains)
        needed = IntSet.from_range(axis.dom)
        if bounds.has_lower_bound and analyzer.can_prove(LT(needed.min_value, bounds.min_value)):
            return False
        if bounds.has_upper_bound and analyzer.can_prove(LT(bounds.max_value, needed.max_value)):
            return False
    return True


def _stores_all_loaded(block: Block, producer: Block, loaded: tuple[Expr, ...], stored: tuple[Expr, ...]) -> bool:
    """Whether the producer stores all elements that the consumer loads, unless it provably does not."""
    analyzer = Analyzer()

    def sets(each: Block, indices: tuple[Expr, ...]) -> list[IntervalSet]:
        domains = {axis.var: axis.dom for axis in each.iter_vars if axis.dom is not None}
        return [analyzer.int_set(index, domains) for index in indices]

    for needed, result in zip(sets(block, loaded), sets(producer, stored), strict=True):
        if not needed.has_lower_bound or not needed.has_upper_bound:
            continue
        if result.has_lower_bound and analyzer.can_prove(LT(needed.min_value, result.min_value)):
            return False
        if result.has_upper_bound and analyzer.can_prove(LT(result.max_value, needed.max_value)):
            return False
    return True


def _has_same_domain(axis: IterVar, value: Expr, domains: dict[Var, Range]) -> bool:
    """Whether a value is an axis of the producer with the same domain."""
    domain = domains.get(value) if isinstance(value, Var) else None
    axis_domain = axis.dom
    if domain is None or axis_domain is None:
        return False
    return expr_deep_equal(domain.min, axis_domain.min) and expr_deep_equal(domain.extent, axis_domain.extent)


def _in_domain_condition(block: Block, producer: Block, values: dict[Var, Expr]) -> Expr:
    """Return the condition that the consumer's axes are in their domains at the stored element."""
    inside: Expr = fold.TRUE
    domains = {axis.var: axis.dom for axis in producer.iter_vars if axis.dom is not None}
    for axis in block.iter_vars:
        if axis.dom is not None and not _has_same_domain(axis, values[axis.var], domains):
            value, first = values[axis.var], axis.dom.min
            inside = fold.logical_and(inside, fold.make(GE, value, first))
            inside = fold.logical_and(inside, fold.make(LT, value, fold.add(first, axis.dom.extent)))
    return inside


def _is_inverse(
    block: Block, producer: Block, values: dict[Var, Expr], loaded: tuple[Expr, ...], stored: tuple[Expr, ...]
) -> bool:
    """Whether the consumer loads exactly the stored element if its axes have these values."""
    analyzer = Analyzer()
    bind_axes(analyzer, producer)
    axes: dict[Any, Any] = dict(values)
    with analyzer.constraint(_in_domain_condition(block, producer, values)):
        return all(
            analyzer.can_prove_equal(substitute(read, axes), written)
            for read, written in zip(loaded, stored, strict=True)
        )


class _ConsumerInliner(BufferRemovalRewriter):
    """Rewrite the producer to store the consumer's value."""

    def __init__(
        self,
        buffer: Buffer,
        visible: dict[Var, Buffer],
        producer: Block,
        consumer: Block,
        inlined: BufferStore,
        values: dict[Var, Expr],
    ) -> None:
        super().__init__(buffer, visible)
        self.producer = producer
        self.consumer = consumer
        self.inlined = inlined
        self.axes = values

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        stmt: Stmt = super().store(node)
        if not isinstance(stmt, BufferStore) or stmt.buffer is not self.buffer:
            return stmt
        stored: Stmt = _ConsumerStore(self.buffer, stmt.value, self.axes).rewrite(self.inlined)
        return stored

    def with_access(self, block: Block) -> Block:
        """Add the domain condition of the consumer to the producer."""
        return super().with_access(self._guarded(block) if self.producer.iter_vars is block.iter_vars else block)

    def _guarded(self, block: Block) -> Block:
        bind_axes(self.analyzer, block)
        condition = self.analyzer.simplify(_in_domain_condition(self.consumer, block, self.axes))
        body: Stmt = block.body
        if is_true(condition):
            return block
        if isinstance(body, IfThenElse):
            if structural_equal(condition, self.analyzer.simplify(body.condition)):
                return block
            return block.replace(body=body.replace(condition=fold.logical_and(condition, body.condition)))
        return block.replace(body=IfThenElse(condition, body, span=body.span))


class _ConsumerStore(TirRewriter):
    """Rewrite the consumer's store: the loaded element becomes the producer's value."""

    def __init__(self, buffer: Buffer, value: Expr, axes: dict[Var, Expr]) -> None:
        super().__init__()
        self.buffer = buffer
        self.value_stored = value
        self.renamed.update([*axes.items()])

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Any:
        return self.value_stored if node.buffer is self.buffer else super().load(node)
