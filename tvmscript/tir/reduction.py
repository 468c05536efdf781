"""Reductions of tensor expressions as `tir` has them: `tir.sum(A[i, k], axis=k)`; `tir.max(a, b)` is of two values."""

from __future__ import annotations

from tvmscript.ir.te.reduction import comm_reducer, max, min, sum

__all__ = ["comm_reducer", "max", "min", "sum"]
