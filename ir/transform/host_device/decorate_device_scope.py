"""The whole body of a function runs on the device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import AttrStmt
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class DecorateDeviceScope(PrimFuncPass):
    """Puts the body into an attribute `device_scope`; AnnotateDeviceRegions takes it for the device then.

    A[0] = T.float32(0)               ->    T.attr(0, "device_scope", 0)
                                            A[0] = T.float32(0)
    """

    name: ClassVar[str] = "tir.DecorateDeviceScope"
    is_idempotent: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        zero = IntImm("int32", 0)
        return func.with_body(AttrStmt(zero, "device_scope", zero, func.body))
