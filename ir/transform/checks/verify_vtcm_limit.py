"""Raise an error if a function allocates more VTCM than the limit."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.memory.allocated_bytes import calculate_allocated_bytes
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass, option
from tvmscript.ir.transform.errors import TooMuchVTCM

SCOPE = "global.vtcm"


@dataclass(frozen=True)
class VerifyVTCMLimit(Pass):
    """Raise `TooMuchVTCM` if the live allocations of `global.vtcm` exceed the limit. The program is not changed.

    The limit is a number of bytes or a target. For a target it is `vtcm_capacity`, or else the `vtcm-capacity` of the
    target. The target of the function takes precedence. 0 means no limit.
    """

    name = "tir.VerifyVTCMLimit"
    is_idempotent = True

    limit: int | Target | None = None
    vtcm_capacity: int = option("tir.vtcm_capacity", 0)

    def run(self, mod: IRModule) -> IRModule:
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc):
                limit = self.limit_of(func)
                used = calculate_allocated_bytes(func)["main"].get(SCOPE, 0)
                if 0 < limit < used:
                    raise TooMuchVTCM(function=var.name_hint, used=used, limit=limit, span=func.span)
        return mod

    def limit_of(self, func: PrimFunc) -> int:
        """Return the limit in bytes for a function; 0 means no limit."""
        limit = func.attrs.get("target", self.limit)
        if isinstance(limit, Target):
            if limit.kind != "hexagon":
                return self.limit if isinstance(self.limit, int) else 0
            return self.vtcm_capacity or int(limit.options.get("vtcm-capacity", 0))
        return limit if isinstance(limit, int) else self.vtcm_capacity
