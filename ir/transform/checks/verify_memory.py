"""Functions for a GPU access memory in threads alone; others are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.verify_memory import assert_memory
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class VerifyMemory(PrimFuncPass):
    """Refuse functions for a GPU in which the host would have to access memory of the device. Nothing is changed.

    Raises `HostAccess`, and `WrongType` for a function without a target.
    """

    name: ClassVar[str] = "tir.VerifyMemory"

    def transform(self, func: PrimFunc) -> PrimFunc:
        assert_memory(func)
        return func
