"""Raise an error if host code of a GPU function accesses device memory."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.verify.memory import assert_memory
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class VerifyMemory(PrimFuncPass):
    """Raise `HostAccess` if a GPU function accesses device memory outside of threads. The program is not changed.

    Raises `WrongType` for a function without a target.
    """

    name = "tir.VerifyMemory"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        assert_memory(func)
        return func
