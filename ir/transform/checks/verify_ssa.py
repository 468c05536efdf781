"""Raise an error if a variable is defined more than once."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.verify.ssa import assert_ssa
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class VerifySSA(PrimFuncPass):
    """Raise `NotSSA` if a function defines a variable twice. The program is not changed."""

    name = "tir.VerifySSA"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        assert_ssa(func)
        return func
