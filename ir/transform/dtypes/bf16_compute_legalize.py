"""Values of bfloat16 are computed in float32, and converted where they are loaded and stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.dtype import FLOAT32
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.compute_legalize import computed_wider
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import BFLOAT, is_native
from tvmscript.ir.transform.function_features import Features


@dataclass(frozen=True)
class BF16ComputeLegalize(PrimFuncPass):
    """No operation computes with bfloat16: operands become float32, and results are rounded where they are stored.

    Local memory holds float32 throughout, so that intermediate results are not rounded. Functions bound to a CUDA
    target from sm_80 on stay as they are: it computes with bfloat16.

    rewrite:
        B[i] = A[i] + A[i]   -->   B[i] = to_bfloat16(to_float32(A[i]) + to_float32(A[i]))
    """

    name: ClassVar[str] = "tir.BF16ComputeLegalize"
    looks_for_in_values: ClassVar[Features | None] = BFLOAT
    #: conversions that it made are written out in bits by the next run, as in TVM
    is_idempotent: ClassVar[bool] = False
    is_exact: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func if is_native(func, BFLOAT) else computed_wider(func, BFLOAT, FLOAT32)
