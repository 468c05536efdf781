"""Conversion of NumPy arrays from and to bit patterns of the formats of `ir.core.values.float_formats`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.ir.core.values.float_formats import FORMATS, Format, value_of

Array = npt.NDArray[Any]


def storage_of(form: Format) -> npt.DTypeLike:
    """NumPy's dtype of a pattern."""
    return np.uint16 if form.bits == 16 else np.uint8


def encode(values: Array, dtype: str) -> Array:
    """Return the patterns nearest to the values (any floats, any shape)."""
    form = FORMATS[dtype]
    with np.errstate(invalid="ignore"):  # a signalling nan is a nan
        wide = np.asarray(values, np.float64)
    size = np.abs(wide)
    finite = np.isfinite(size)
    _, exponent = np.frexp(np.where(finite, size, 0.0))
    exponent = np.maximum(np.where(size == 0.0, form.min_exponent, exponent - 1), form.min_exponent)
    with np.errstate(over="ignore"):
        scaled = np.rint(np.ldexp(np.where(finite, size, 0.0), form.mantissa - exponent)).astype(np.int64)
    # a rounding that carries into the next power of two carries in the pattern as well
    pattern = ((exponent.astype(np.int64) - form.min_exponent) << form.mantissa) + scaled
    if form.unsigned:
        return np.where((size == 0.0) | np.signbit(wide) | (pattern > form.largest) | ~finite, form.nan or 0, pattern)\
            .astype(storage_of(form))  # fmt: skip
    pattern = np.where((pattern > form.largest) | np.isinf(size), form.overflow, pattern)
    sign = np.where(np.signbit(wide), form.sign, 0)
    if not form.signed_special:
        sign = np.where((pattern == 0) | (pattern == form.sign), 0, sign)
    signed = pattern | sign
    if form.nan is None:
        nan = form.sign ^ sign
    else:
        nan = form.nan | sign if form.signed_special else np.full_like(signed, form.nan)
    return np.where(np.isnan(wide), nan, signed).astype(storage_of(form))


def decode(patterns: Array, dtype: str) -> Array:
    """Return the values of bit patterns as float32, which holds all of them exactly."""
    if dtype == "bfloat16":
        values = (patterns.astype(np.uint32) << 16).view(np.float32)
    else:
        values = np.array(values_of(dtype), np.float32)[patterns]
    return np.asarray(values)  # without dimensions it is a scalar


@cache
def values_of(dtype: str) -> list[float]:
    """Return the value of each pattern of the dtype, float16 included."""
    if dtype == "float16":
        return list(np.arange(1 << 16, dtype=np.uint16).view(np.float16).tolist())
    form = FORMATS[dtype]
    if dtype == "bfloat16":
        return list(decode(np.arange(1 << 16, dtype=np.uint16), dtype).tolist())
    mask = (1 << form.bits) - 1  # narrow formats are stored in whole bytes
    return [value_of(pattern & mask, form) for pattern in range(256)]
