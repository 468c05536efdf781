"""Conditions of `if` that do not depend on a loop stand outside of it, those on threads excepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.loops.hoist_if_then_else import HoistIfThenElse


@dataclass(frozen=True)
class HoistIfThenElseBasic(PrimFuncPass):
    """`tir.HoistIfThenElse("basic")` under a name of its own, as TVM registers it.

    rewrite:
        for i in range(n):              if m < 3:
            if m < 3:           -->         for i in range(n):
                A[i] = 1                        A[i] = 1
    """

    name: ClassVar[str] = "tir.HoistIfThenElseBasic"
    #: it simplifies once, and what comes out may be simpler still
    is_idempotent: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return HoistIfThenElse("basic").transform(func)
