"""Difference between a result and the expected one, and its tolerance."""

from __future__ import annotations

import numpy as np

from tvmscript.backends.runtime.array import asarray
from tvmscript.ir.tir import PrimFunc

#: Bits of the fraction of floats; sums of a few thousand terms may lose a third of them.
_FRACTION_BITS = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}


def tolerance_of(func: PrimFunc) -> float:
    """Return the relative difference that reordered rounding can cause: 2^-(2/3 of the fewest fraction bits)."""
    bits = [_FRACTION_BITS.get(str(b.dtype), 3) for b in func.buffer_map.values() if b.dtype.is_floating]
    return 2.0 ** -(min(bits) * 2 / 3) if bits else 0.0


def largest_error(func: PrimFunc, got: list[object], expected: list[object]) -> float:
    """Return the largest difference between the arrays of two calls, relative to the largest expected value.

    It is infinite where only one side has nan or an infinity.
    """
    largest = 0.0
    for param, mine, theirs in zip(func.params, got, expected, strict=True):
        buffer = func.buffer_map.get(param)
        if buffer is None:
            continue
        a, b = asarray(mine).numpy().astype(np.float64), asarray(theirs).numpy().astype(np.float64)
        finite = np.isfinite(a) & np.isfinite(b)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        if not np.all(finite | same):
            return float("inf")
        scale = max(1e-30, float(np.max(np.abs(b), where=finite, initial=0.0)))
        largest = max(largest, float(np.max(np.abs(a - b), where=finite & ~same, initial=0.0)) / scale)
    return largest
