"""Values of 8-bit floats are computed in a wider float, and converted where they are loaded and stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.float_bits import FLOAT8, is_native
from tvmscript.ir.transform.dtypes.wider_compute import computed_wider


@dataclass(frozen=True)
class FP8ComputeLegalize(PrimFuncPass):
    """No operation computes with 8-bit floats: operands become `promote_dtype_str`, float16 or float32.

    Functions bound to a CUDA target from sm_89 on stay as they are. Conversions are TVM's: those of e4m3, and those
    of e5m2 with float32, are right for normal numbers alone (`float_bits` has the details).

    rewrite:
        B[i] = A[i] + A[i]   -->   B[i] = to_float8(to_float32(A[i]) + to_float32(A[i]))
    """

    name: ClassVar[str] = "tir.FP8ComputeLegalize"
    #: conversions that it made are written out in bits by the next run, as in TVM
    is_idempotent: ClassVar[bool] = False
    is_exact: ClassVar[bool] = False
    promote_dtype_str: str = "float32"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func if is_native(func, FLOAT8) else computed_wider(func, FLOAT8, DType(self.promote_dtype_str))
