"""Store bfloat16 values as uint16 of the same bits."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import BFLOAT, is_native
from tvmscript.ir.transform.dtypes.common.storage_legalize import legalize_storage


@dataclass(frozen=True)
class BF16StorageLegalize(PrimFuncPass):
    """Change the dtype of bfloat16 buffers, variables and pointers to uint16, and remove `reinterpret` between the two.

    Runs after `tir.BF16ComputeLegalize`. Raises `NarrowFloatComputed` if an operation still computes in bfloat16, and
    `NarrowFloatParameter` for a bfloat16 buffer among the parameters. Functions for CUDA targets with bfloat16 are not
    changed.

    rewrite:
        A = T.allocate([16], "bfloat16")   -->   A = T.allocate([16], "uint16")
    """

    name = "tir.BF16StorageLegalize"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if is_native(func, BFLOAT):
            return func
        return legalize_storage(func, BFLOAT, self.name, "tir.BF16ComputeLegalize")
