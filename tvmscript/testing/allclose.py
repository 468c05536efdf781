"""`assert_allclose`: compare arrays of floats in units of the last place, and find the source of a NaN.

A unit of the last place (ulp) is the distance from a float to the next one of its dtype, and so relative to the
magnitude of the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.array import asarray
from tvmscript.ir.core import BaseFunc, IRModule, TVMScriptError
from tvmscript.testing.first_nan import first_nan

Array = npt.NDArray[Any]

#: unsigned integers of the width of a float
_PATTERNS: Final[dict[int, Any]] = {2: np.uint16, 4: np.uint32, 8: np.uint64}
#: the most ulp of each row of the histogram
_ROWS: Final = (0, 1, 2, 4, 8, 16, 64, 256, 4096)
_BAR: Final = 40


class NotClose(TVMScriptError, AssertionError, code="TS8022"):
    """Two arrays differ by more than the tolerance. The histogram counts the elements by their distance in units of the
    last place: another rounding order gives a few ulp, a wrong formula gives many.
    """

    message = "{summary}\n{details}"


def ulp_distance(actual: Any, expected: Any) -> Array:
    """Count the floats between the elements of two arrays of one float dtype, as uint64.

    Zeros of both signs are equal. Non-finite elements have distance 0 if equal, and the largest
    one otherwise. Raises `TypeError` for different dtypes, or dtypes other than floats.
    """
    a, b = _array(actual), _array(expected)
    if a.dtype != b.dtype or a.dtype.kind != "f" or a.dtype.itemsize not in _PATTERNS:
        raise TypeError(f"ulp are of two arrays of one float dtype, not of {a.dtype} and {b.dtype}")
    low, high = _ordered(a), _ordered(b)
    apart = np.where(low > high, low - high, high - low)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    finite = np.isfinite(a) & np.isfinite(b)
    return np.asarray(np.where(same, 0, np.where(finite, apart, np.iinfo(np.uint64).max)), np.uint64)


def _ordered(values: Array) -> Array:
    """Map floats to unsigned integers in the same order, with both zeros equal."""
    pattern = _PATTERNS[values.dtype.itemsize]
    bits = values.view(pattern).astype(np.uint64)
    sign = np.uint64(1) << np.uint64(8 * values.dtype.itemsize - 1)
    size = bits & (sign - np.uint64(1))
    return np.asarray(np.where(bits & sign, sign - size, sign + size))


def _array(value: Any) -> Array:
    plain = isinstance(value, (np.ndarray, np.generic, list, tuple, int, float))
    array = np.asarray(value) if plain else asarray(value).numpy()
    return np.ascontiguousarray(array)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float = 1e-5,
    atol: float = 0.0,
    *,
    ulp: int | None = None,
    program: IRModule | BaseFunc | None = None,
    inputs: Sequence[Any] = (),
) -> None:
    """Raise `NotClose` unless `abs(actual - expected) <= atol + rtol * abs(expected)` everywhere.

    With `ulp`, floats may instead be that many units of the last place apart. NaN equals NaN. The error reports the
    number of different elements, the first of them, and a histogram of distances in ulp. For a wrong NaN, with the
    kernel `program` and its `inputs` before the call, it reports the line of the script that stored the first NaN.
    Arrays are NumPy arrays, lists and numbers, or support DLPack; shapes must be equal.
    """
    a, b = _array(actual), _array(expected)
    if a.shape != b.shape:
        raise NotClose(summary=f"the shapes differ: {a.shape} instead of {b.shape}", details="")
    if b.dtype != a.dtype:
        b = b.astype(a.dtype)
    wrong = _wrong(a, b, rtol, atol, ulp)
    if not wrong.any():
        return
    place = tuple(int(axis[0]) for axis in np.nonzero(wrong))
    details = [] if a.dtype.kind != "f" else _histogram(ulp_distance(a, b))
    if program is not None and a.dtype.kind == "f" and (np.isnan(a) & ~np.isnan(b)).any():
        details.append(first_nan(program, inputs) or "no kernel stores a NaN in the interpreter, with these arguments")
    count = f"{int(wrong.sum())} of {a.size} elements differ"
    summary = f"{count}, first {list(place)}: {a[place]!s} instead of {b[place]!s}"
    raise NotClose(summary=summary, details="\n".join(details))


def _wrong(a: Array, b: Array, rtol: float, atol: float, ulp: int | None) -> Array:
    if a.dtype.kind != "f":
        return np.asarray(a != b)
    if ulp is not None:
        return np.asarray(ulp_distance(a, b) > ulp)
    with np.errstate(invalid="ignore", over="ignore"):
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        close = np.abs(wide_a - wide_b) <= atol + rtol * np.abs(wide_b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.asarray(~(same | (close & np.isfinite(a) & np.isfinite(b))))


def _histogram(apart: Array) -> list[str]:
    """Format the histogram: distance, number of elements, bar."""
    rows: list[tuple[str, int]] = []
    before = -1
    for most in _ROWS:
        count = int(((apart <= most) & (apart > before if before >= 0 else True)).sum())
        rows.append((str(most) if most - before == 1 else f"{before + 1} to {most}", count))
        before = most
    limit = np.iinfo(np.uint64).max
    rows.append((f"more than {before}", int(((apart > before) & (apart < limit)).sum())))
    rows.append(("inf or nan", int((apart == limit).sum())))
    largest = max(count for _, count in rows)
    return ["ulp apart      elements"] + [
        f"{name:<14} {count:>8} {'#' * -(-_BAR * count // largest)}".rstrip() for name, count in rows if count
    ]
