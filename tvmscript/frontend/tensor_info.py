"""Dtypes and shapes of tensors while a model is imported."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import IntImm

#: a number, or an expression of symbolic sizes
Size = Any


def dtype_of(x: RelaxExpr) -> str:
    """Return the dtype of a tensor. Raises `ValueError` for other values."""
    info = x.struct_info
    if not isinstance(info, TensorStructInfo):
        raise ValueError("a value that is no tensor is used as one")
    return str(info.dtype)


def shape_of(x: RelaxExpr) -> list[Size]:
    """Return the sizes of a tensor of known rank. Raises `ValueError` for other values."""
    info = x.struct_info
    if not isinstance(info, TensorStructInfo):
        raise ValueError("a value that is no tensor is used as one")
    return [extent.value if isinstance(extent, IntImm) else extent for extent in info.extents or ()]
