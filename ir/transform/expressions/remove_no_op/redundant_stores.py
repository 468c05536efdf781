"""Stores that change nothing: elements have the value already, or are written over before they are read."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tvmscript.ir.analysis.known_contents import Contents
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import logical_not
from tvmscript.ir.arith.linear_form import is_index_dtype
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core.op import CallEffect
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import BufferLoad
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.tir.side_effect import can_drop, effect_of
from tvmscript.ir.tir.stmt import (
    AttrStmt,
    Block,
    BufferStore,
    Evaluate,
    For,
    IfThenElse,
    SeqStmt,
    While,
)
from tvmscript.ir.transform.expressions.remove_no_op.dead_stores import Nest, fate, touches, writes_one_element
from tvmscript.ir.transform.rewriters.with_contents import KnowsContents


class _Rest(NamedTuple):
    """A statement of a sequence, and those that run after it."""

    part: Stmt
    later: tuple[Stmt, ...]


class KnowsFlow(KnowsContents):
    """Knows what elements are before a statement, and whether what it writes is needed after it."""

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        super().__init__()
        self.analyzer = analyzer or self.analyzer
        self.contents = Contents(self.analyzer)
        #: loops, conditions and sequences around the statement at hand; None hides those further out
        self.around: list[For | Expr | _Rest | None] = []

    @contextmanager
    def inside(self, what: For | Expr | _Rest | None) -> Generator[None, None, None]:
        """The statement at hand stands in a loop, under a condition, in a sequence."""
        self.around.append(what)
        yield
        self.around.pop()

    def follow(self, other: KnowsFlow) -> None:
        """Know what another one with the same analyzer knows at this moment."""
        self.contents.state = other.contents.state
        self.around = list(other.around)

    # -- questions

    def is_known(self, node: BufferStore) -> bool:
        """Whether an element is known to have the value that a store writes."""
        if not writes_one_element(node) or not can_drop(node.value):
            return False
        element = BufferLoad(node.buffer, node.indices)
        before, value = (self.analyzer.simplify(self.contents.looked_up(each)) for each in (element, node.value))
        if expr_deep_equal(before, value):
            return True
        return is_index_dtype(value.dtype) and self.analyzer.can_prove_equal(before, value)

    def is_overwritten(self, node: BufferStore) -> bool:
        """Whether all that a store writes in the loops around it is written again before it is read."""
        if not writes_one_element(node):
            return False
        data = node.buffer.data
        loops: list[For] = []
        conditions: list[Expr] = []
        for what in reversed(self.around):
            if what is None:
                return False
            if isinstance(what, For):
                loops.insert(0, what)
            elif isinstance(what, Expr):
                conditions += [what] if effect_of(what) <= CallEffect.PURE else []
            elif loops and touches(what.part, data):
                # a later iteration may read it
                return False
            else:
                found = fate(Nest(tuple(loops), tuple(conditions), node), what.later)
                if found is not None:
                    return found
        return False

    # -- statements

    @on(For)
    def loop(self, node: For) -> Stmt:
        with self.inside(node):
            return super().loop(node)

    def part(self, node: SeqStmt, place: int) -> Stmt:
        with self.inside(_Rest(node.seq[place], node.seq[place + 1 :])):
            return super().part(node, place)

    def then_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        with self.inside(condition):
            return super().then_case(stmt, condition)

    def else_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        with self.inside(logical_not(condition)):
            return super().else_case(stmt, condition)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        with self.inside(None):
            return super().loop_while(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        with self.inside(None):
            return super().attribute(node)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        self.contents.forget()
        with self.inside(None):
            made = super().block(node)
        self.contents.forget()
        return made


class VainStores(KnowsFlow):
    """Stores that change nothing are gone; calls in their values that do something stay."""

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        return self.branches(node, node.condition)

    def rewrite(self, node: Any) -> Any:
        return node if isinstance(node, Expr) else super().rewrite(node)

    def value(self, value: Any) -> Any:
        return value if isinstance(value, Expr) else super().value(value)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if self.is_known(node):
            return NOOP
        if self.is_overwritten(node):
            if effect_of(node.value) > CallEffect.READ_STATE:
                self.contents.forget()
            return NOOP if can_drop(node.value) else Evaluate(node.value, span=node.span)
        return super().store(node)


def without_vain_stores(func: PrimFunc, analyzer: Analyzer) -> Stmt:
    """The body of a function without stores that change nothing."""
    rewriter = VainStores(analyzer)
    rewriter.enter(func)
    made: Stmt = rewriter.rewrite(func.body)
    return made
