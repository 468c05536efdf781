"""Remove redundant stores: the element has the value already, or is overwritten before it is read."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from tvmscript.ir.analysis.memory.known_contents import Contents
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import logical_not
from tvmscript.ir.arith.sums.linear_form import is_index_dtype
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import CallEffect, on
from tvmscript.ir.core.visit import leaves, on_every
from tvmscript.ir.tir import NOOP, BufferLoad, Expr, PrimFunc, Stmt, can_drop, effect_of
from tvmscript.ir.tir.stmt import AttrStmt, Block, BufferStore, Evaluate, For, IfThenElse, SeqStmt, While
from tvmscript.ir.transform.expressions.remove_no_op.dead_stores import (
    StoreNest,
    is_overwritten_by,
    may_access,
    writes_one_element,
)
from tvmscript.ir.transform.rewriters.with_contents import ContentsRewriter


class _SequencePoint(NamedTuple):
    """A statement of a sequence, and the statements after it."""

    part: Stmt
    later: tuple[Stmt, ...]


class FlowRewriter(ContentsRewriter):
    """A rewriter that tracks known contents before a statement and the statements that follow it."""

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        super().__init__()
        self.analyzer = analyzer or self.analyzer
        self.contents = Contents(self.analyzer)
        #: enclosing loops, conditions and sequences, outermost first; None is an opaque scope
        self.scopes: list[For | Expr | _SequencePoint | None] = []

    @contextmanager
    def scope(self, entered: For | Expr | _SequencePoint | None) -> Generator[None, None, None]:
        """Enter a loop, a condition, a sequence or an opaque scope."""
        self.scopes.append(entered)
        yield
        self.scopes.pop()

    def copy_state(self, other: FlowRewriter) -> None:
        """Copy the state of another rewriter with the same analyzer."""
        self.contents.state = other.contents.state
        self.scopes = list(other.scopes)

    # -- queries

    def is_known(self, node: BufferStore) -> bool:
        """Return whether the element provably has the value that is stored."""
        if not writes_one_element(node) or not can_drop(node.value):
            return False
        element = BufferLoad(node.buffer, node.indices)
        before, value = (self.analyzer.simplify(self.contents.looked_up(expr)) for expr in (element, node.value))
        if expr_deep_equal(before, value):
            return True
        return is_index_dtype(value.dtype) and self.analyzer.can_prove_equal(before, value)

    def is_overwritten(self, node: BufferStore) -> bool:
        """Return whether all elements that a store writes in its loops are overwritten before they are read."""
        if not writes_one_element(node):
            return False
        data = node.buffer.data
        loops: list[For] = []
        conditions: list[Expr] = []
        for scope in reversed(self.scopes):
            if scope is None:
                return False
            if isinstance(scope, For):
                loops.insert(0, scope)
            elif isinstance(scope, Expr):
                conditions += [scope] if effect_of(scope) <= CallEffect.PURE else []
            elif loops and may_access(scope.part, data):
                # a later iteration may read it
                return False
            else:
                overwritten = is_overwritten_by(StoreNest(tuple(loops), tuple(conditions), node), scope.later)
                if overwritten is not None:
                    return overwritten
        return False

    # -- statements

    @on(For)
    def loop(self, node: For) -> Stmt:
        with self.scope(node):
            return super().loop(node)

    def rewrite_item(self, node: SeqStmt, index: int) -> Stmt:
        with self.scope(_SequencePoint(node.seq[index], node.seq[index + 1 :])):
            return super().rewrite_item(node, index)

    def then_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        with self.scope(condition):
            return super().then_case(stmt, condition)

    def else_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        with self.scope(logical_not(condition)):
            return super().else_case(stmt, condition)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        with self.scope(None):
            return super().loop_while(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        with self.scope(None):
            return super().attribute(node)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        self.contents.forget()
        with self.scope(None):
            new_block = super().block(node)
        self.contents.forget()
        return new_block


class RedundantStoreRemover(FlowRewriter):
    """Remove redundant stores, but keep calls with side effects in their values."""

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        return self.branches(node, node.condition)

    @on_every(Expr)
    @leaves
    def expression(self, node: Expr) -> Expr:
        return node

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if self.is_known(node):
            return NOOP
        if self.is_overwritten(node):
            if effect_of(node.value) > CallEffect.READ_STATE:
                self.contents.forget()
            return NOOP if can_drop(node.value) else Evaluate(node.value, span=node.span)
        return super().store(node)


def remove_redundant_stores(func: PrimFunc, analyzer: Analyzer) -> Stmt:
    """Return the body of a function without redundant stores."""
    rewriter = RedundantStoreRemover(analyzer)
    rewriter.enter(func)
    result: Stmt = rewriter.rewrite(func.body)
    return result
