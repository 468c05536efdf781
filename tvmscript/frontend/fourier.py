"""Discrete Fourier transforms: products with matrices of cosines and sines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.tensor_info import dtype_of, shape_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

#: most factors of a transform: 2 GiB
_MOST_TURNS: Final = 1 << 28
#: binds a value that is used several times
Emit = Callable[[RelaxExpr], RelaxExpr]


def fit_axis(x: RelaxExpr, axis: int, length: int) -> RelaxExpr:
    """Return a tensor with an axis cut, or with zeros behind, to a length."""
    size = int(shape_of(x)[axis])
    if length <= size:
        return x if length == size else R.strided_slice(x, [axis], [0], [length])
    widths = [0] * (2 * len(shape_of(x)))
    widths[2 * axis + 1] = length - size
    return R.nn.pad(x, widths, 0)


def _along(x: RelaxExpr, table: npt.NDArray[np.float64], axis: int) -> RelaxExpr:
    """Return the product of an axis with a matrix (old size, new size), in float64."""
    rank = len(shape_of(x))
    # sums that cancel need more digits than the data have
    matrix = R.const(table, "float64")
    order = [index for index in range(rank) if index != axis] + [axis]
    moved = R.matmul(R.astype(R.permute_dims(x, order), "float64"), matrix)
    return R.permute_dims(moved, [order.index(index) for index in range(rank)])


def _turns(rows: int, columns: int) -> npt.NDArray[np.floating[Any]]:
    """Return the products of places, in radians. Raises `ValueError` where they are too many."""
    if rows * columns > _MOST_TURNS:
        raise ValueError(f"a transform of {rows:,} by {columns:,} elements has too many factors to compute at import")
    return 2 * np.pi * np.outer(np.arange(rows), np.arange(columns))


def transform(
    parts: Sequence[RelaxExpr], axis: int, length: int, count: int, is_inverse: bool, emit: Emit
) -> tuple[RelaxExpr, RelaxExpr]:
    """Return the real and the imaginary part of the first `count` elements of the transform of an axis.

    `parts` is the real part of the tensor, and the imaginary one where it has one; the axis has `length` elements.
    """
    turn = _turns(length, count) / length
    scale = 1 / length if is_inverse else 1.0
    cosines, sines = np.cos(turn) * scale, np.sin(turn) * (scale if is_inverse else -scale)
    real, imaginary = _along(parts[0], cosines, axis), _along(parts[0], sines, axis)
    if len(parts) == 2:
        real = R.subtract(real, _along(parts[1], sines, axis))
        imaginary = R.add(imaginary, _along(parts[1], cosines, axis))
    dtype = dtype_of(parts[0])
    return emit(R.astype(real, dtype)), emit(R.astype(imaginary, dtype))


def real_inverse(parts: Sequence[RelaxExpr], axis: int, length: int) -> RelaxExpr:
    """Return the real signal of half of a spectrum, the other half of which is its conjugate."""
    half = length // 2 + 1
    turn = _turns(half, length) / length
    factors = np.array([1.0 if index in (0, length / 2) else 2.0 for index in range(half)]) / length
    spectrum = [fit_axis(part, axis, half) for part in parts]
    real = _along(spectrum[0], np.cos(turn) * factors[:, None], axis)
    if len(parts) == 2:
        real = R.subtract(real, _along(spectrum[1], np.sin(turn) * factors[:, None], axis))
    return R.astype(real, dtype_of(parts[0]))
