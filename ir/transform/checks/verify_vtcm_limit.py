"""No function takes more memory next to the vector unit than there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.allocated_bytes import calculate_allocated_bytes
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Pass, option
from tvmscript.ir.transform.errors import TooMuchVTCM

SCOPE = "global.vtcm"


@dataclass(frozen=True)
class VerifyVTCMLimit(Pass):
    """Refuse functions that allocate more bytes of `global.vtcm` at the same time than the limit. Nothing is changed.

    The limit is a number, or that of a target: what `vtcm_capacity` says, or else the target itself. The target of a
    function comes first. 0 is no limit. Raises `TooMuchVTCM`.
    """

    name: ClassVar[str] = "tir.VerifyVTCMLimit"

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
        """The bytes that the function may take, 0 for any number."""
        about = func.attrs.get("target", self.limit)
        if isinstance(about, Target):
            if about.kind != "hexagon":
                return self.limit if isinstance(self.limit, int) else 0
            return self.vtcm_capacity or int(about.options.get("vtcm-capacity", 0))
        return about if isinstance(about, int) else self.vtcm_capacity
