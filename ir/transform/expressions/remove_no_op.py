"""Statements that do nothing are gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.effect import can_drop
from tvmscript.ir.tir.expr import IntImm, Not
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter, is_noop
from tvmscript.ir.tir.stmt import (
    Allocate,
    AllocateConst,
    AttrStmt,
    DeclBuffer,
    Evaluate,
    For,
    IfThenElse,
    LetStmt,
    seq,
)
from tvmscript.ir.transform.base import PrimFuncPass


class _Removal(TirRewriter):
    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        return NOOP if can_drop(node.value) else node

    @on(For)
    def loop(self, node: For) -> Stmt:
        if isinstance(node.extent, IntImm) and node.extent.value <= 0:
            return NOOP
        made = self.descend(node)
        return _effects(node.min, node.extent) if is_noop(made.body) else made

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        made = self.descend(node)
        return _effects(node.value) if is_noop(made.body) else made

    @on(Allocate, AllocateConst, DeclBuffer, AttrStmt)
    def scope(self, node: Any) -> Stmt:
        made: Any = self.descend(node)
        return NOOP if is_noop(made.body) else made

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        made = self.descend(node)
        then_case, else_case = made.then_case, made.else_case
        if else_case is not None and is_noop(else_case):
            else_case = None
        if is_noop(then_case):
            if else_case is None:
                return _effects(made.condition)
            return IfThenElse(Not(made.condition), else_case, None, span=made.span)
        return made if else_case is made.else_case else IfThenElse(made.condition, then_case, None, span=made.span)


def _effects(*values: Expr) -> Stmt:
    """What is left of expressions whose values nobody needs."""
    kept = [Evaluate(value) for value in values if not can_drop(value)]
    return seq(*kept) if kept else NOOP


@dataclass(frozen=True)
class RemoveNoOp(PrimFuncPass):
    """Loops without iterations or with an empty body, empty branches and values nobody uses are gone.

    rewrite:
        for i in range(8):
            T.evaluate(0)       -->     A[0] = 1.0
        A[0] = 1.0
    """

    name: ClassVar[str] = "tir.RemoveNoOp"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Removal().rewrite(func.body))
