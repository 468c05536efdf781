"""A rewriter that tracks known contents of buffers."""

from __future__ import annotations

from contextlib import ExitStack
from operator import is_

from tvmscript.ir.analysis.memory.known_contents import Contents, is_assumption
from tvmscript.ir.core import CallEffect, on
from tvmscript.ir.tir import Call, Expr, Range, Stmt, effect_of
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import BufferStore, Evaluate, For, IfThenElse, LetStmt, SeqStmt, While
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter


class ContentsRewriter(AnalyzedRewriter):
    """An `AnalyzedRewriter` that keeps `contents`, the known elements of buffers, up to date during the walk.

    It may precede another rewriter in the bases of a class.
    """

    contents: Contents

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        before = self.contents.state
        then_case = self.then_case(node.then_case, condition)
        after_then, self.contents.state = self.contents.state, before
        else_case = None if node.else_case is None else self.else_case(node.else_case, condition)
        self.contents.join(condition, after_then, self.contents.state)
        return node.rebuild(condition=condition, then_case=then_case, else_case=else_case)

    def then_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        """Rewrite a branch under the condition."""
        with self.analyzer.constraint(condition):
            self.contents.assume(condition)
            return self.rewrite(stmt)

    def else_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        """Rewrite a branch under the negated condition."""
        with self.analyzer.constraint(condition, False):
            return self.rewrite(stmt)

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        before = self.contents.enter(node)
        new_loop = super().loop(node)
        self.contents.leave(node, before)
        return new_loop

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        self.contents.forget()
        new_loop = super().loop_while(node)
        self.contents.forget()
        return new_loop

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        new_store = super().store(node)
        if isinstance(new_store, BufferStore):
            self.contents.store(new_store)
        return new_store

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        new_let = super().let(node)
        self.contents.forget_name(node.var)
        return new_let

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        """Rewrite a sequence; an assumption holds for the statements after it."""
        stmts: list[Stmt] = []
        with ExitStack() as assumed:
            for index, stmt in enumerate(node.seq):
                stmts.append(self.rewrite_item(node, index))
                if isinstance(stmt, Evaluate) and isinstance(stmt.value, Call) and is_assumption(stmt.value):
                    assumed.enter_context(self.analyzer.constraint(stmt.value.args[0]))
        return node if all(map(is_, stmts, node.seq)) else flatten_seq(tuple(stmts), node)

    def rewrite_item(self, node: SeqStmt, index: int) -> Stmt:
        """Rewrite one statement of a sequence."""
        return self.rewrite(node.seq[index])

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        if isinstance(node.value, Call) and is_assumption(node.value):
            self.contents.assume(node.value.args[0])
            return node
        new_stmt = self.descend(node)
        if effect_of(new_stmt.value) > CallEffect.READ_STATE:
            self.contents.forget()
        return new_stmt
