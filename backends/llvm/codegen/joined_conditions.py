"""Statements under one condition, joined: their values live on in one branch, not beside each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import nodes, on
from tvmscript.ir.tir import BufferLoad, Call, Expr, Stmt
from tvmscript.ir.tir.rewrite import StatementRewriter, flatten_seq
from tvmscript.ir.tir.stmt import IfThenElse, SeqStmt


class JoinConditions(StatementRewriter):
    """Join statements under one condition, and under conditions that imply it.

    rewrite:
        if i < 34:                                -->     if i < 34:
            A[0] = T.float32(0)                               A[0] = T.float32(0)
        if i < 33:                                            if i < 33:
            B[i] = A[0]                                           B[i] = A[0]
    """

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        stmt = super().sequence(node)
        if not isinstance(stmt, SeqStmt):
            return stmt
        parts: list[Stmt] = []
        place = 0
        while place < len(stmt.seq):
            first = stmt.seq[place]
            bodies = _under(first.condition, stmt.seq[place:]) if _is_conditional(first) else []
            if len(bodies) > 1:
                first = first.replace(then_case=self.rewrite(flatten_seq(tuple(bodies), first)))
            parts.append(first)
            place += max(len(bodies), 1)
        return stmt if len(parts) == len(stmt.seq) else flatten_seq(tuple(parts), stmt)


def _under(condition: Expr, stmts: Sequence[Stmt]) -> list[Stmt]:
    """Return what the first statements, all under this condition or one that implies it, do where it holds."""
    bodies: list[Stmt] = []
    for stmt in stmts:
        if not _is_conditional(stmt) or not _implies(stmt.condition, condition):
            break
        bodies.append(stmt.then_case if expr_deep_equal(stmt.condition, condition) else stmt)
    return bodies


def _is_conditional(stmt: Stmt) -> TypeGuard[IfThenElse]:
    """Return whether a statement runs under a condition that no statement changes."""
    if not isinstance(stmt, IfThenElse) or stmt.else_case is not None:
        return False
    return not any(isinstance(part, (BufferLoad, Call)) for part in nodes(stmt.condition))


def _implies(condition: Expr, other: Expr) -> bool:
    """Return whether a condition is known to hold wherever another one does."""
    if expr_deep_equal(condition, other):
        return True
    analyzer = Analyzer()
    with analyzer.constraint(condition):
        return analyzer.can_prove(other)
