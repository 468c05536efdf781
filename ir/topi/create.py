"""Tensors of given values: full, arange."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import DType
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import IntImm, as_expr
from tvmscript.ir.topi.common import ELEMWISE, define, function, known_int, simplify


def full(shape: Any, dtype: str, fill_value: Any) -> Any:
    """Return numpy.full."""
    value = function("cast")(as_expr(fill_value, DType(dtype) if isinstance(fill_value, (int, float)) else None), dtype)
    return define(shape, lambda *_: value, "T_full", ELEMWISE)


def full_like(x: Tensor, fill_value: Any) -> Any:
    """Return numpy.full_like."""
    value = function("cast")(as_expr(fill_value, x.dtype if isinstance(fill_value, (int, float)) else None), x.dtype)
    return define(x.shape, lambda *_: value, "T_full_like", ELEMWISE)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: str = "float32") -> Any:
    """Return numpy.arange."""
    begin, end = (0, start) if stop is None else (start, stop)
    begin, end, stride = (as_expr(item) for item in (begin, end, step))
    sign = known_int(stride) if all(item.dtype.is_integer for item in (begin, end, stride)) else None
    if sign is not None and sign > 0:
        count = end - begin if sign == 1 else function("ceildiv")(end - begin, stride)
    elif sign is not None and sign < 0:
        count = function("ceildiv")(begin - end, -stride)
    else:
        values = [function("cast")(item, "float32") for item in (begin, end, stride)]
        count = function("cast")(function("ceil")((values[1] - values[0]) / values[2]), "int64")
    known = known_int(count)
    length = simplify(count) if known is None or known >= 0 else IntImm(count.dtype, 0)
    return define([length], lambda i: function("cast")(begin + stride * i, dtype), "T_arange")
