"""Hoist loop-invariant conditions of `if` out of loops, except conditions on threads."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.loops.hoist_if_then_else import HoistIfThenElse


@dataclass(frozen=True)
class HoistIfThenElseBasic(PrimFuncPass):
    """Run `tir.HoistIfThenElse("basic")`; TVM registers it as a pass of its own.

    rewrite:
        for i in range(n):              if m < 3:
            if m < 3:           -->         for i in range(n):
                A[i] = 1                        A[i] = 1
    """

    name = "tir.HoistIfThenElseBasic"
    #: it runs tir.Simplify, which is not idempotent
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return HoistIfThenElse("basic").transform(func)
