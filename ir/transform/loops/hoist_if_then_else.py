"""Conditions of `if` that do not depend on a loop stand outside of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.loops.hoist_expression import HoistedConditionals, HoistedLetBindings, hoisted


@dataclass(frozen=True)
class HoistIfThenElse(PrimFuncPass):
    """`tir.HoistExpression` for the conditions of `if` alone.

    With `support_block_scope_hosting` also out of attributes, such as launches of threads, and for conditions on
    threads; `variant="basic"` never does that.

    rewrite:
        for i in range(n):              if m < 3:
            if m < 3:           -->         for i in range(n):
                A[i] = 1                        A[i] = 1
    """

    name: ClassVar[str] = "tir.HoistIfThenElse"
    #: it simplifies once, and what comes out may be simpler still
    is_idempotent: ClassVar[bool] = False
    variant: str | None = None
    support_block_scope_hosting: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        conditionals = HoistedConditionals.IfElseStmt
        if self.support_block_scope_hosting and self.variant != "basic":
            conditionals |= HoistedConditionals.UsingBlockVar
        return hoisted(func, conditionals, HoistedLetBindings.Never)
