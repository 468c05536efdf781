"""Tensors of given values: full, arange."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.core import DType
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import IntImm, as_expr
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.common import ELEMWISE, define, function, known_int, simplify


def full(shape: Sequence[Extent], dtype: str, fill_value: Operand) -> Tensor:
    """Return numpy.full."""
    value = function("cast")(as_expr(fill_value, DType(dtype) if isinstance(fill_value, (int, float)) else None), dtype)
    return define(shape, lambda *_: value, "T_full", ELEMWISE)


def full_like(x: Tensor, fill_value: Operand) -> Tensor:
    """Return numpy.full_like."""
    value = function("cast")(as_expr(fill_value, x.dtype if isinstance(fill_value, (int, float)) else None), x.dtype)
    return define(x.shape, lambda *_: value, "T_full_like", ELEMWISE)


def arange(start: Operand, stop: Operand | None = None, step: Operand = 1, dtype: str = "float32") -> Tensor:
    """Return numpy.arange."""
    bounds = (0, start) if stop is None else (start, stop)
    begin, end, stride = (as_expr(operand) for operand in (*bounds, step))
    sign = known_int(stride) if all(expr.dtype.is_integer for expr in (begin, end, stride)) else None
    if sign is not None and sign > 0:
        count = end - begin if sign == 1 else function("ceildiv")(end - begin, stride)
    elif sign is not None and sign < 0:
        count = function("ceildiv")(begin - end, -stride)
    else:
        values = [function("cast")(expr, "float32") for expr in (begin, end, stride)]
        count = function("cast")(function("ceil")((values[1] - values[0]) / values[2]), "int64")
    size = known_int(count)
    length = simplify(count) if size is None or size >= 0 else IntImm(count.dtype, 0)
    return define([length], lambda i: function("cast")(begin + stride * i, dtype), "T_arange")
