"""Hoist loop-invariant conditions of `if` out of loops."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.loops.hoist_expression import HoistedConditionals, HoistedLetBindings, hoist


@dataclass(frozen=True)
class HoistIfThenElse(PrimFuncPass):
    """Run `tir.HoistExpression` for conditions of `if` only.

    With `support_block_scope_hosting`, conditions are also hoisted out of attributes such as thread launches, and
    conditions on threads are hoisted; not with `variant="basic"`.

    rewrite:
        for i in range(n):              if m < 3:
            if m < 3:           -->         for i in range(n):
                A[i] = 1                        A[i] = 1
    """

    name = "tir.HoistIfThenElse"
    #: it runs tir.Simplify, which is not idempotent
    is_idempotent = False
    variant: str | None = None
    support_block_scope_hosting: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        conditionals = HoistedConditionals.IfElseStmt
        if self.support_block_scope_hosting and self.variant != "basic":
            conditionals |= HoistedConditionals.UsingBlockVar
        return hoist(func, conditionals, HoistedLetBindings.Never)
