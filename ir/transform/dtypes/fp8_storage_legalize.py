"""Store 8-bit floats as uint8 of the same bits."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import FLOAT8, is_native
from tvmscript.ir.transform.dtypes.common.storage_legalize import legalize_storage


@dataclass(frozen=True)
class FP8StorageLegalize(PrimFuncPass):
    """Change the dtype of float8 buffers, variables and pointers to uint8, and remove `reinterpret` between the two.

    Runs after `tir.FP8ComputeLegalize`. Raises `NarrowFloatComputed` if an operation still computes in float8, and
    `NarrowFloatParameter` for a float8 buffer among the parameters. Functions for CUDA targets with float8 are not
    changed.

    rewrite:
        A = T.allocate([16], "float8")   -->   A = T.allocate([16], "uint8")
    """

    name = "tir.FP8StorageLegalize"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if is_native(func, FLOAT8):
            return func
        return legalize_storage(func, FLOAT8, self.name, "tir.FP8ComputeLegalize")
