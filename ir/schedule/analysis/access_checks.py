"""Checks of buffer accesses: in bounds, unconditional, read before write."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import GE, LT, Buffer, BufferLoad, Call, Expr, IntImm, Stmt, match_types
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, IfThenElse, While


def unproven_bounds(index: Expr, size: Expr, analyzer: Analyzer) -> list[Expr]:
    """Return those of `0 <= index` and `index < size` that cannot be proved."""
    is_above = fold.make(GE, *match_types(index, IntImm(size.dtype, 0)))
    is_below = fold.make(LT, *match_types(index, size))
    return [condition for condition in (is_above, is_below) if not analyzer.can_prove(condition)]


def in_bounds_condition(buffer: Buffer, indices: Sequence[Expr], analyzer: Analyzer) -> Expr:
    """Return the condition that an element is in bounds; true if that is proved."""
    expr: Expr = fold.TRUE
    for index, size in zip(indices, buffer.shape, strict=True):
        for condition in unproven_bounds(index, size, analyzer):
            expr = fold.logical_and(expr, condition)
    return expr


def accesses_unconditionally(block: Block, buffer: Buffer) -> bool:
    """Whether a block accesses a buffer outside of all conditions."""
    visitor = _UnconditionalAccess(buffer)
    visitor.visit(block.body)
    return visitor.is_found


def writes_unconditionally(block: Block, buffer: Buffer) -> bool:
    """Whether the init or the body of a block stores to a buffer outside of all conditions."""
    visitor = _UnconditionalStore(buffer)
    for stmt in (block.init, block.body):
        if stmt is not None:
            visitor.visit(stmt)
    return visitor.is_found or not visitor.is_conditional


def reads_before_write(stmt: Stmt, buffer: Buffer) -> bool:
    """Whether the first access of a statement to a buffer is a load."""
    visitor = _FirstAccess(buffer)
    visitor.visit(stmt)
    return visitor.is_load is True


def reads_other_elements(block: Block, buffer: Buffer) -> bool:
    """Whether a reduction reads other elements of a buffer than it stores, which its regions do not state.

    The order of its steps then matters, and its init is not the start of each element alone.
    """
    if block.init is None:
        return False
    visitor = _ElementAccesses(buffer)
    visitor.visit(block)
    return any(
        stores and not any(len(load) == len(store) and all(map(expr_deep_equal, load, store)) for store in stores)
        for stores, loads in visitor.accesses.values()
        for load in loads
    )


class _ElementAccesses(Visitor):
    """Collect the indices of stores and loads of a buffer in each block."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.around: Block | None = None
        self.accesses: dict[Block | None, tuple[list[tuple[Expr, ...]], list[tuple[Expr, ...]]]] = {}

    @on(Block)
    def block(self, node: Block) -> None:
        before, self.around = self.around, node
        if node.init is not None:
            self.visit(node.init)
        self.visit(node.body)
        self.around = before

    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        if node.buffer is self.buffer:
            self.accesses.setdefault(self.around, ([], []))[isinstance(node, BufferLoad)].append(node.indices)
        self.walk(node)


class _FirstAccess(Visitor):
    """Find whether the first access to a buffer is a load; None if there is no access."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.is_load: bool | None = None

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        if node.buffer is self.buffer and self.is_load is None:
            self.is_load = True
        self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.visit(node.value)
        if node.buffer is self.buffer and self.is_load is None:
            self.is_load = False

    @on(Block)
    def block(self, node: Block) -> None:
        if node.init is not None:
            self.visit(node.init)
        self.visit(node.body)


class _UnconditionalStore(Visitor):
    """Find stores to a buffer in and outside of conditional statements; calls may store, too."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.is_found = self.is_conditional = False
        self.depth = 0

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer is self.buffer:
            self.is_conditional = self.is_conditional or self.depth > 0
            self.is_found = self.is_found or self.depth == 0

    @on(IfThenElse, While)
    def choice(self, node: IfThenElse | While) -> None:
        self.depth += 1
        self.walk(node)
        self.depth -= 1

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        is_conditional = not is_true(node.predicate)
        self.depth += is_conditional
        self.walk(node)
        self.depth -= is_conditional


class _UnconditionalAccess(Visitor):
    """Find accesses to a buffer outside of conditions."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.is_found = False

    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        self.is_found = self.is_found or node.buffer is self.buffer
        self.walk(node)

    @on(IfThenElse, While)
    def choice(self, node: IfThenElse | While) -> None:
        self.visit(node.condition)

    @on(Call)
    def call(self, node: Call) -> None:
        if getattr(node.op, "name", "") == "tir.if_then_else":
            self.visit(node.args[0])
        else:
            self.walk(node)

    @on(BlockRealize)
    def block(self, node: BlockRealize) -> None:
        if is_true(node.predicate):
            self.visit(node.block.body)
