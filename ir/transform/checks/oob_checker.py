"""Raise an error for accesses that are provably out of bounds."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.access.out_of_bounds import Verdict, check_bounds
from tvmscript.ir.core.errors import together
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class OOBChecker(PrimFuncPass):
    """Raise `AccessOutOfBounds` if an access is provably outside of its buffer. The program is not changed.

    Undecided accesses are accepted; `tir.AssertBounds` checks them at run time.
    """

    name = "tir.OOBChecker"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        errors = [finding.error() for finding in check_bounds(func) if finding.verdict is Verdict.WRONG]
        if errors:
            raise together(errors)
        return func
