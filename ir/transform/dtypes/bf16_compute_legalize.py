"""Compute bfloat16 values in float32."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import FLOAT32, DType
from tvmscript.ir.tir import Cast, Expr, PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.compute_legalize import legalize_compute
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import BFLOAT, is_native


@dataclass(frozen=True)
class BF16ComputeLegalize(PrimFuncPass):
    """Replace bfloat16 arithmetic by float32: operands are converted after loads, results before stores.

    Buffers that are local to the function hold float32, so intermediate results are not rounded. Functions for CUDA
    targets from sm_80 on, which compute bfloat16, are not changed.

    widens_native: compute in float32 for these targets, too, whose instructions convert. The device pipeline sets it,
        so that sums of many terms keep their digits.

    rewrite:
        B[i] = A[i] + A[i]   -->   B[i] = to_bfloat16(to_float32(A[i]) + to_float32(A[i]))
    """

    name = "tir.BF16ComputeLegalize"
    looks_for_in_values = BFLOAT
    #: a second run expands the conversions of the first into bit operations, as in TVM
    is_idempotent = False
    is_exact = False
    widens_native: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not is_native(func, BFLOAT):
            return legalize_compute(func, BFLOAT, FLOAT32)
        return legalize_compute(func, BFLOAT, FLOAT32, _cast) if self.widens_native else func


def _cast(value: Expr, dtype: DType) -> Expr:
    return Cast(dtype, value)
