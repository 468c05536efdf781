"""No access leaves its buffer for certain; functions in which one does are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.out_of_bounds import Verdict, check_bounds
from tvmscript.ir.core.errors import together
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class OOBChecker(PrimFuncPass):
    """Refuse functions with an access that is known to leave its buffer. Nothing is changed.

    What is not known is let through: `tir.AssertBounds` checks it when the program runs. Raises `AccessOutOfBounds`.
    """

    name: ClassVar[str] = "tir.OOBChecker"

    def transform(self, func: PrimFunc) -> PrimFunc:
        wrong = [finding.error() for finding in check_bounds(func) if finding.verdict is Verdict.WRONG]
        if wrong:
            raise together(wrong)
        return func
