"""Constant data from lists of numbers."""

from __future__ import annotations

import math

from tvmscript.ir.core import DType, Span, WrongType
from tvmscript.ir.core.values.constant_data import Data, pack
from tvmscript.ir.tir import Expr, FloatImm, IntImm


def constant_array(values: object, dtype: DType, extents: tuple[Expr, ...], span: Span | None = None) -> object:
    """Return constant data: an array as it is, or (nested) lists of numbers packed.

    Raises `WrongType` if the number of elements does not match the extents.
    """
    shape = [item.value for item in extents if isinstance(item, IntImm)]
    if len(shape) != len(extents):
        raise WrongType(where="constant data", expected="constant extents", got="variables", span=span)
    if hasattr(values, "tobytes") and hasattr(values, "dtype"):
        return values
    flat: list[object] = []
    _flatten(values, flat, span)
    if len(flat) != math.prod(shape):
        raise WrongType(where="constant data", expected=f"{math.prod(shape)} elements", got=len(flat), span=span)
    if not dtype.is_floating and not all(isinstance(item, int) for item in flat):
        raise WrongType(where="constant data", expected=f"values of {dtype}", got="a float", span=span)
    packed: Data = pack(flat, dtype, tuple(shape))
    return packed


def _flatten(values: object, flat: list[object], span: Span | None) -> None:
    for item in values if isinstance(values, (tuple, list)) else (values,):
        if isinstance(item, (tuple, list)):
            _flatten(item, flat, span)
        elif isinstance(item, (IntImm, FloatImm)):
            flat.append(item.value)
        elif isinstance(item, (bool, int, float)):
            flat.append(item)
        elif item in ("inf", "-inf", "nan"):
            flat.append(float(item))
        else:
            raise WrongType(where="constant data", expected="numbers", got=repr(item), span=span)
