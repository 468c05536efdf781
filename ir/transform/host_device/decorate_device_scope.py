"""Mark the whole body of a function as device code."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.tir import AttrStmt, IntImm, PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class DecorateDeviceScope(PrimFuncPass):
    """Wrap the body in an attribute `device_scope`, which `tir.AnnotateDeviceRegions` treats as device code.

    rewrite:
        A[0] = T.float32(0)               -->    T.attr(0, "device_scope", 0)
                                                 A[0] = T.float32(0)
    """

    name = "tir.DecorateDeviceScope"
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        zero = IntImm("int32", 0)
        return func.with_body(AttrStmt(zero, "device_scope", zero, func.body))
