"""Compute 8-bit floats in a wider float."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import DType
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.compute_legalize import legalize_compute
from tvmscript.ir.transform.dtypes.common.exact_float8_conversion import convert_exactly
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import FLOAT8, convert, is_native


@dataclass(frozen=True)
class FP8ComputeLegalize(PrimFuncPass):
    """Replace arithmetic on 8-bit floats by arithmetic in `promote_dtype_str`, float16 or float32.

    Functions for CUDA targets from sm_89 on are not changed. Conversions are those of TVM: between e4m3 and any float,
    and between e5m2 and float32, they are exact for normal numbers only (see `narrow_float_conversion`); for example, 0
    becomes 0.0078125.

    is_exact_for_all: convert every value exactly. The device pipeline sets it.

    rewrite:
        B[i] = A[i] + A[i]   -->   B[i] = to_float8(to_float32(A[i]) + to_float32(A[i]))
    """

    name = "tir.FP8ComputeLegalize"
    looks_for_in_values = FLOAT8
    #: a second run expands the conversions of the first into bit operations, as in TVM
    is_idempotent = False
    is_exact = False
    promote_dtype_str: str = "float32"
    is_exact_for_all: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if is_native(func, FLOAT8):
            return func
        conversion = convert_exactly if self.is_exact_for_all else convert
        return legalize_compute(func, FLOAT8, DType(self.promote_dtype_str), conversion)
