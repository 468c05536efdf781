"""A rewriter that knows what elements of buffers are, too."""

from __future__ import annotations

from contextlib import ExitStack
from operator import is_

from tvmscript.ir.analysis.known_contents import Contents, is_assumption
from tvmscript.ir.core.op import CallEffect
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import Call, Range
from tvmscript.ir.tir.rewrite import flattened
from tvmscript.ir.tir.side_effect import effect_of
from tvmscript.ir.tir.stmt import BufferStore, Evaluate, For, IfThenElse, LetStmt, SeqStmt, While
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter


class KnowsContents(AnalyzedRewriter):
    """`contents` says at each point of the walk what elements are known to be; it may stand before another rewriter
    in the bases of a class."""

    contents: Contents

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        before = self.contents.state
        then_case = self.then_case(node.then_case, condition)
        after_then, self.contents.state = self.contents.state, before
        else_case = None if node.else_case is None else self.else_case(node.else_case, condition)
        self.contents.join(condition, after_then, self.contents.state)
        if condition is node.condition and then_case is node.then_case and else_case is node.else_case:
            return node
        return IfThenElse(condition, then_case, else_case, span=node.span)

    def then_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        """What is done where a condition holds."""
        with self.analyzer.constraint(condition):
            self.contents.assume(condition)
            return self.rewrite(stmt)

    def else_case(self, stmt: Stmt, condition: Expr) -> Stmt:
        """What is done where it does not hold."""
        with self.analyzer.constraint(condition, False):
            return self.rewrite(stmt)

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        before = self.contents.enter(node)
        made = super().loop(node)
        self.contents.leave(node, before)
        return made

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        self.contents.forget()
        made = super().loop_while(node)
        self.contents.forget()
        return made

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        made = super().store(node)
        if isinstance(made, BufferStore):
            self.contents.store(made)
        return made

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        made = super().let(node)
        self.contents.forget_name(node.var)
        return made

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        """What is assumed holds in what comes afterwards."""
        made: list[Stmt] = []
        with ExitStack() as assumed:
            for place, part in enumerate(node.seq):
                made.append(self.part(node, place))
                if isinstance(part, Evaluate) and isinstance(part.value, Call) and is_assumption(part.value):
                    assumed.enter_context(self.analyzer.constraint(part.value.args[0]))
        return node if all(map(is_, made, node.seq)) else flattened(tuple(made), node)

    def part(self, node: SeqStmt, place: int) -> Stmt:
        """A statement of a sequence."""
        return self.rewrite(node.seq[place])

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        if isinstance(node.value, Call) and is_assumption(node.value):
            self.contents.assume(node.value.args[0])
            return node
        made = self.descend(node)
        if effect_of(made.value) > CallEffect.READ_STATE:
            self.contents.forget()
        return made
