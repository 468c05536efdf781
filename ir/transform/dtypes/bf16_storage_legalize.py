"""Values of bfloat16 are kept as uint16 of the same bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import BFLOAT, is_native
from tvmscript.ir.transform.dtypes.common.storage_legalize import stored_as_bits


@dataclass(frozen=True)
class BF16StorageLegalize(PrimFuncPass):
    """Memory, variables and pointers of bfloat16 are those of uint16; `reinterpret` between the two is gone.

    It runs after `tir.BF16ComputeLegalize`, when nothing computes with them, and where no parameter is a buffer of
    them; raises `NarrowFloatComputed` and `NarrowFloatParameter` otherwise. Functions bound to a CUDA target that
    has them stay as they are.

    rewrite:
        A = T.allocate([16], "bfloat16")   -->   A = T.allocate([16], "uint16")
    """

    name: ClassVar[str] = "tir.BF16StorageLegalize"

    def transform(self, func: PrimFunc) -> PrimFunc:
        if is_native(func, BFLOAT):
            return func
        return stored_as_bits(func, BFLOAT, self.name, "tir.BF16ComputeLegalize")
