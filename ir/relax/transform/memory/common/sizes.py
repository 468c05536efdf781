"""Bytes of tensors, as TVM writes them."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.core import INT64, DType
from tvmscript.ir.tir import Expr, IntImm


def num_bytes(shape: Sequence[Expr], dtype: DType) -> Expr:
    """Return the bytes of a tensor: those of an element, times each extent."""
    size: Expr = IntImm(INT64, (dtype.bits * dtype.lanes + 7) // 8)
    for extent in shape:
        size = size * extent
    return size
