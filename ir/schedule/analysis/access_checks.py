"""Checks of buffer accesses: in bounds, unconditional, read before write."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import GE, LT, BufferLoad, Call, IntImm
from tvmscript.ir.tir.operators import match_types
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


def reads_before_write(stmt: Stmt, buffer: Buffer) -> bool:
    """Whether the first access of a statement to a buffer is a load."""
    visitor = _FirstAccess(buffer)
    visitor.visit(stmt)
    return visitor.is_load is True


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
