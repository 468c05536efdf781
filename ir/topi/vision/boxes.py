"""Boxes of two corners."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.tir import Expr, Select, const
from tvmscript.ir.tir.ir_builder import BufferVar
from tvmscript.ir.topi.common import function

#: a coordinate of a box: 0 and 1 are a corner, 2 and 3 the opposite one
Box = Callable[[int], Expr]


def overlap(a: Box, b: Box, pixel: int = 0) -> Expr:
    """Return the area that two boxes share divided by the area that they cover, 0 of empty ones.

    With a `pixel` of 1 the corners are those of pixels, which are inside.
    """
    least, most = function("min"), function("max")
    zero = const(0, a(0).dtype)

    def side(low: Expr, high: Expr) -> Expr:
        return high - low + const(pixel, low.dtype) if pixel else high - low

    lows = [[least(box(n), box(n + 2)) for n in (0, 1)] for box in (a, b)]
    highs = [[most(box(n), box(n + 2)) for n in (0, 1)] for box in (a, b)]
    sides = [most(zero, side(most(lows[0][n], lows[1][n]), least(highs[0][n], highs[1][n]))) for n in (0, 1)]
    shared = sides[0] * sides[1]
    areas = [side(low[0], high[0]) * side(low[1], high[1]) for low, high in zip(lows, highs, strict=True)]
    covered = areas[0] + areas[1] - shared
    return Select(covered <= zero, zero, shared / covered)


def box_at(corners: BufferVar, *indices: Expr, start: int = 0) -> Box:
    """Return the box whose coordinates are elements of a buffer from `corners[*indices, start]` on."""

    def coordinate(n: int) -> Expr:
        return corners[(*indices, start + n)]

    return coordinate
