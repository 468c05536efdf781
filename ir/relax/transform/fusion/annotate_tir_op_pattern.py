"""AnnotateTIROpPattern: record the fusion pattern of each kernel."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.relax.analysis.op_pattern import op_pattern
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class AnnotateTIROpPattern(PrimFuncPass):
    """Set the attribute `op_pattern` of kernels, which `relax.FuseOps` reads. A kernel that has one keeps it.

    rewrite:
        B[i] = A[i] + 1.0                 -->  op_pattern 0: elementwise
        B[i, j] = A[j]                    -->  op_pattern 1: broadcast
        B[i, j] = A[j, i]                 -->  op_pattern 2: injective
        B[i] = B[i] + A[i, k]             -->  op_pattern 3: reduction
        C[i, j] = C[i, j] + A[i, k] * B[k, j]  -->  op_pattern 4: elementwise operations may follow
        else                              -->  op_pattern 8: opaque
    """

    name = "relax.AnnotateTIROpPattern"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func if "op_pattern" in func.attrs else func.with_attr("op_pattern", int(op_pattern(func)))
