"""Functions as polynomials of pieces, whose coefficients are looked up in registers.

The 16 pieces are around multiples of a width; the first one begins at 0. Coefficients are those of the series at the
center, in which Chebyshev polynomials of higher degree than there are terms are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.polynomial.chebyshev import cheb2poly, poly2cheb

from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: terms of the series that polynomials are made of
_SERIES: Final = 32
#: 1 in the first piece
_FIRST: Final = (1.0, *[0.0] * 15)


class Pieces(NamedTuple):
    """A function of numbers from 0 to 15.5 widths; `series`: its Taylor series at a number.

    `is_split`: constants are sums of two float32, and the first piece is x + x * p(x): of a function that is about x
    there, less is lost.
    """

    width: float
    terms: int
    series: Callable[[float], Sequence[float]]
    is_split: bool = False


def tanh_series(center: float) -> list[float]:
    """From y' = 1 - y ** 2."""
    series = [math.tanh(center)]
    for n in range(_SERIES):
        square = sum(series[k] * series[n - k] for k in range(n + 1))
        series.append(((n == 0) - square) / (n + 1))
    return series


def erf_series(center: float) -> list[float]:
    """From y'' = -2 x y'."""
    slopes = [0.0, 2 / math.sqrt(math.pi) * math.exp(-center * center)]
    for n in range(_SERIES):
        slopes.append(-2 * (center * slopes[-1] + slopes[-2]) / (n + 1))
    return [math.erf(center), *[slope / (n + 1) for n, slope in enumerate(slopes[1:])]]


@cache
def _coefficients(pieces: Pieces) -> tuple[tuple[float, ...], ...]:
    """Return the coefficients of all pieces for each power, the highest first."""
    half, rows = pieces.width / 2, list[list[float]]()
    for piece in range(16):
        series = pieces.series(piece * pieces.width)
        # errors are relative where the function is 0
        factor = series[:1] if series[0] == 0.0 else []
        scaled = [coefficient * half**n for n, coefficient in enumerate(series[len(factor) :])]
        short = [*cheb2poly(poly2cheb(scaled)[: pieces.terms - len(factor)]), *[0.0] * pieces.terms]
        rows.append([*factor, *[float(each) / half**n for n, each in enumerate(short)]][: pieces.terms])
    if pieces.is_split:
        rows[0][1] -= 1.0
        rows = [[float(np.float32(row[0])), row[0] - float(np.float32(row[0])), *row[1:]] for row in rows]
    return tuple(zip(*rows, strict=True))[::-1]


def by_pieces(lanes: Lanes, x: Value, pieces: Pieces) -> Value | None:
    """The function of an x in its range, None where lanes of registers are not looked up."""
    if not lanes.looks_up_lanes(x.type):
        return None
    # the lowest four bits of the sum are the piece
    anchor = x.of(1.5 * 2.0 ** (52 if x.type == "double" else 23))
    shifted = lanes.fma(x, 1 / pieces.width, anchor)
    t, index = lanes.fma(shifted - anchor, -pieces.width, x), shifted.bits()
    total, *others = (lanes.lookup_lane(x.type, column, index) for column in _coefficients(pieces))
    constant = others.pop() if pieces.is_split else None
    for coefficient in others:
        total = lanes.fma(total, t, coefficient)
    if constant is None:
        return total
    return total + lanes.fma(lanes.lookup_lane(x.type, _FIRST, index), t, constant)
