"""Values of 8-bit floats are computed in a wider float, and converted where they are loaded and stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.compute_legalize import computed_wider
from tvmscript.ir.transform.dtypes.common.exact_float8_conversion import converted_exactly
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import FLOAT8, converted, is_native
from tvmscript.ir.transform.function_features import Features


@dataclass(frozen=True)
class FP8ComputeLegalize(PrimFuncPass):
    """No operation computes with 8-bit floats: operands become `promote_dtype_str`, float16 or float32.

    Functions bound to a CUDA target from sm_89 on stay as they are. Conversions are TVM's: those of e4m3, and those
    of e5m2 with float32, are right for normal numbers alone (`float_bits` has the details): 0 becomes 0.0078125. With
    `is_exact_for_all`, which the pipeline for devices takes, every value converts as it should.

    rewrite:
        B[i] = A[i] + A[i]   -->   B[i] = to_float8(to_float32(A[i]) + to_float32(A[i]))
    """

    name: ClassVar[str] = "tir.FP8ComputeLegalize"
    looks_for_in_values: ClassVar[Features | None] = FLOAT8
    #: conversions that it made are written out in bits by the next run, as in TVM
    is_idempotent: ClassVar[bool] = False
    is_exact: ClassVar[bool] = False
    promote_dtype_str: str = "float32"
    is_exact_for_all: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if is_native(func, FLOAT8):
            return func
        convert = converted_exactly if self.is_exact_for_all else converted
        return computed_wider(func, FLOAT8, DType(self.promote_dtype_str), convert)
