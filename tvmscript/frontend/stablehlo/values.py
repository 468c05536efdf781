"""Tensors of StableHLO programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.stablehlo.text import Operation
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import IntImm
from tvmscript.language import R

#: the result, or several
Results = RelaxExpr | list[RelaxExpr]
#: a number, or an expression of symbolic sizes
Size = Any
Converter = Callable[[Operation, Sequence[RelaxExpr]], Results]


def dtype_of(x: RelaxExpr) -> str:
    """Return the dtype of a tensor."""
    info = x.struct_info
    assert isinstance(info, TensorStructInfo)
    return str(info.dtype)


def shape_of(x: RelaxExpr) -> list[Size]:
    """Return the sizes of a tensor: integers, and expressions where they are symbolic."""
    info = x.struct_info
    assert isinstance(info, TensorStructInfo)
    return [extent.value if isinstance(extent, IntImm) else extent for extent in info.extents or ()]


def constant(value: npt.ArrayLike, dtype: str) -> RelaxExpr:
    """Return a constant tensor."""
    tensor: RelaxExpr = R.const(np.ascontiguousarray(np.asarray(value, dtype)).reshape(np.shape(value)), dtype)
    return tensor
