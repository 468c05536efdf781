"""8-bit floats are kept as uint8 of the same bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import FLOAT8, is_native
from tvmscript.ir.transform.dtypes.common.storage_legalize import stored_as_bits


@dataclass(frozen=True)
class FP8StorageLegalize(PrimFuncPass):
    """Memory, variables and pointers of 8-bit floats are those of uint8; `reinterpret` between the two is gone.

    It runs after `tir.FP8ComputeLegalize`, when nothing computes with them, and where no parameter is a buffer of
    them; raises `NarrowFloatComputed` and `NarrowFloatParameter` otherwise. Functions bound to a CUDA target that
    has them stay as they are.

    rewrite:
        A = T.allocate([16], "float8")   -->   A = T.allocate([16], "uint8")
    """

    name: ClassVar[str] = "tir.FP8StorageLegalize"

    def transform(self, func: PrimFunc) -> PrimFunc:
        if is_native(func, FLOAT8):
            return func
        return stored_as_bits(func, FLOAT8, self.name, "tir.FP8ComputeLegalize")
