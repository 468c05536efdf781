"""Padding elements of a transformed layout.

If a loop nest stores the whole buffer in order, it is rewritten to run over the new layout and to set the padding.
Otherwise a block after the last store sets it. For a buffer that is never written, a block with `T.assume` is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import Node, Visitor, on, structural_equal
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.rewrite.block_rewriter import BlockRewriter
from tvmscript.ir.tir import EQ, Buffer, BufferLoad, Expr, IntImm, IterKind, IterVar, Or, Range, Stmt, Var
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.intrin.control import assume, if_then_else
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, Evaluate, For, ForKind, LetStmt
from tvmscript.ir.tir.substitute import substitute, uses


@dataclass(frozen=True)
class LayoutChange:
    """The old and new buffer of a layout transformation, and the inverse of the map."""

    old: Buffer
    new: Buffer
    #: the map from new to old indices, and the condition that there is no old element
    inverse: IndexMap
    is_padding: Expr
    #: the padding value, from the new indices
    pad_value: IndexMap


@dataclass
class PaddingPlan:
    """The statements to insert or replace, made by `plan_padding`."""

    #: the first statement of the block that owns the buffer
    first: Stmt | None = None
    #: loop -> its replacement
    replaced: dict[For, Stmt] = field(default_factory=dict[For, Stmt])
    #: new block -> old block
    blocks: dict[Block, Block] = field(default_factory=dict[Block, Block])
    #: a statement, and the one to insert after it
    after: tuple[Stmt, Stmt] | None = None


def plan_padding(block: Block, layout: LayoutChange) -> PaddingPlan:
    """Plan how the padding of a layout gets its values in a block."""
    writes = _StoreCollector(layout.old)
    writes.inside(block)
    if not writes.sites:
        return PaddingPlan(first=_make_assumption_block(layout))
    plan = PaddingPlan()
    for write in writes.sites:
        loops = _loops_over_new_layout(write, layout, plan.blocks) if write.is_plain else None
        if loops is not None:
            plan.replaced[write.loops[0]] = loops
    if not plan.replaced:
        last = writes.sites[-1]
        plan.after = (last.loops[0] if last.loops else last.realize or last.store), _make_padding_block(layout)
    return plan


# stores to the buffer


@dataclass(frozen=True)
class _StoreSite:
    store: BufferStore
    realize: BlockRealize | None
    #: the loops from the first to the last one that its indices depend on
    loops: Sequence[For]
    #: whether these loops cover the buffer, one loop for each dimension
    is_plain: bool


class _StoreCollector(Visitor):
    """Collect the stores to a buffer, in program order."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.sites: list[_StoreSite] = []
        self.loops: list[For] = []
        self.realize: BlockRealize | None = None
        #: variable -> the first and last loop that it depends on; its value in terms of loops
        self.depths: dict[Var, tuple[int, int]] = {}
        self.values: dict[Var, Expr] = {}

    def define(self, name: object) -> None:
        """Ignore definitions."""

    @on(For)
    def loop(self, node: For) -> None:
        self.depths[node.loop_var] = len(self.loops), len(self.loops)
        self.loops.append(node)
        self.visit(node.body)
        self.loops.pop()

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        self.bind(node.var, node.value)
        self.visit(node.body)

    @on(BlockRealize)
    def realization(self, node: BlockRealize) -> None:
        for axis, value in zip(node.block.iter_vars, node.iter_values, strict=True):
            self.bind(axis.var, value)
        around, self.realize = self.realize, node
        self.inside(node.block)
        self.realize = around

    def inside(self, block: Block) -> None:
        if block.init is not None:
            self.visit(block.init)
        self.visit(block.body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer is not self.buffer:
            return
        span = self.span(node.indices)
        loops = () if span is None else tuple(self.loops[span[0] : span[1] + 1])
        self.sites.append(_StoreSite(node, self.realize, loops, self.is_plain(node, loops)))

    def bind(self, var: Var, value: Expr) -> None:
        span = self.span(value)
        if span is not None:
            self.depths[var] = span
            self.values[var] = substitute(value, self.values)

    def span(self, used: object) -> tuple[int, int] | None:
        depths = [self.depths[var] for var in uses(used) if var in self.depths]
        return (min(first for first, _ in depths), max(last for _, last in depths)) if depths else None

    def is_plain(self, store: BufferStore, loops: Sequence[For]) -> bool:
        if self.realize is None or not loops or len(loops) != len(store.indices):
            return False
        return all(
            substitute(index, self.values) is loop.loop_var
            and fold.is_const(loop.min, 0)
            and structural_equal(loop.extent, size)
            and loop.kind is ForKind.SERIAL
            for index, loop, size in zip(store.indices, loops, self.buffer.shape, strict=True)
        )


# loops over the new layout


def _loops_over_new_layout(write: _StoreSite, layout: LayoutChange, blocks: dict[Block, Block]) -> Stmt | None:
    """Rewrite the loops of a store over the new layout; None if the block does more than the store."""
    assert write.realize is not None, "plain stores are in blocks"
    place = _first_axis(write)
    if place is None:
        return None
    replacement = _StoreRewriter(write, write.realize, place, layout)
    body: Stmt = replacement.rewrite(write.loops[-1].body)
    if not replacement.is_whole or not uses(body).isdisjoint(loop.loop_var for loop in write.loops):
        return None
    blocks.update(replacement.blocks)
    return _wrap_in_layout_loops(layout, body)


def _first_axis(write: _StoreSite) -> int | None:
    """Return the position of the first index among the axes; None unless the indices are consecutive spatial axes."""
    assert write.realize is not None, "plain stores are in blocks"
    axes, indices = write.realize.block.iter_vars, write.store.indices
    variables = [axis.var for axis in axes if axis.iter_type is IterKind.DATA_PAR]
    first = next((place for place, axis in enumerate(axes) if axis.var is indices[0]), None)
    if first is None or any(index not in variables for index in indices):
        return None
    items = [axis.var for axis in axes[first : first + len(indices)]]
    return first if all(a is b for a, b in zip(items, indices, strict=False)) and len(items) == len(indices) else None


class _StoreRewriter(BlockRewriter):
    """Rewrite the loop body of a store to the new indices; the store also sets the padding."""

    def __init__(self, write: _StoreSite, realize: BlockRealize, place: int, layout: LayoutChange) -> None:
        super().__init__()
        self.write = write
        self.realize = realize
        self.layout = layout
        self.axes, table = _new_axes(layout)
        self.is_padding = substitute(layout.is_padding, table)
        end = place + len(write.store.indices)
        old, values = realize.block.iter_vars, realize.iter_values
        self.new_axes = (*old[:place], *self.axes, *old[end:])
        self.new_values = (*values[:place], *layout.inverse.initial_indices, *values[end:])
        for axis, value in zip(old[place:end], layout.inverse.final_indices, strict=True):
            self.renamed[axis.var] = substitute(value, table)
        self.is_whole = True

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        expected = self.write.store
        if node.buffer is not expected.buffer or not all(
            structural_equal(a, b) for a, b in zip(node.indices, expected.indices, strict=True)
        ):
            self.is_whole = False
            return node
        indices = tuple([axis.var for axis in self.axes])
        value = if_then_else(self.is_padding, _value_at(self.layout, indices), self.rewrite(node.value))
        return BufferStore(self.layout.new, value, indices, span=node.span)

    @on(BlockRealize)
    def realization(self, node: BlockRealize) -> Stmt:
        new_realize: BlockRealize = self.descend(node)
        if node is not self.realize:
            return new_realize
        block = new_realize.block.replace(iter_vars=self.new_axes)
        self.blocks[block] = self.blocks.pop(new_realize.block, node.block)
        return BlockRealize(self.new_values, new_realize.predicate, block, span=node.span)


def _new_axes(layout: LayoutChange) -> tuple[tuple[IterVar, ...], Mapping[Any, Node]]:
    """Make an axis for each new dimension; also return the axes by the variables of the inverse map."""
    axes: list[IterVar] = []
    table: dict[Any, Node] = {}
    for var, size in zip(layout.inverse.initial_indices, layout.new.shape, strict=True):
        axis = Var(f"v_{var.name}", var.dtype)
        axes.append(IterVar(Range.from_min_extent(IntImm(size.dtype, 0), size), axis, IterKind.DATA_PAR))
        table[var] = axis
    return tuple(axes), table


def _value_at(layout: LayoutChange, indices: Sequence[Expr]) -> Expr:
    return Analyzer().simplify(layout.pad_value.at(indices)[0])


def _wrap_in_layout_loops(layout: LayoutChange, body: Stmt) -> Stmt:
    for var, size in reversed([*zip(layout.inverse.initial_indices, layout.new.shape, strict=True)]):
        body = For(var, IntImm(size.dtype, 0), size, ForKind.SERIAL, body)
    return body


# separate blocks


def _make_assumption_block(layout: LayoutChange) -> Stmt:
    """Make a block that assumes the padding of a parameter."""
    axes, table = _new_axes(layout)
    indices = tuple([axis.var for axis in axes])
    load = BufferLoad(layout.new, indices)
    is_element = fold.logical_not(substitute(layout.is_padding, table))
    condition = Or(is_element, EQ(load, _value_at(layout, indices)))
    body = Evaluate(assume(condition))
    reads = (point_region(layout.new, indices),)
    block = Block(axes, reads, (), f"buffer_{layout.new.name}_assumptions", body)
    return _wrap_in_layout_loops(layout, BlockRealize(layout.inverse.initial_indices, fold.TRUE, block))


def _make_padding_block(layout: LayoutChange) -> Stmt:
    """Make a block that sets the padding."""
    axes, _ = _new_axes(layout)
    indices = tuple([axis.var for axis in axes])
    body = BufferStore(layout.new, _value_at(layout, indices), indices)
    block = Block(axes, (), (point_region(layout.new, indices),), f"buffer_{layout.new.name}_padding", body)
    return _wrap_in_layout_loops(layout, BlockRealize(layout.inverse.initial_indices, layout.is_padding, block))
