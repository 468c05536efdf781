"""Every definition has a variable of its own; functions in which one has not are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.verify_ssa import assert_ssa
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class VerifySSA(PrimFuncPass):
    """Refuse functions that define a variable twice. Nothing is changed. Raises `NotSSA`."""

    name: ClassVar[str] = "tir.VerifySSA"

    def transform(self, func: PrimFunc) -> PrimFunc:
        assert_ssa(func)
        return func
