"""Images in other sizes by products with matrices: any ratio of the sizes, with or without antialiasing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import starmap

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.values import Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op.index import take
from tvmscript.ir.relax.op.linear_algebra import matmul

Matrix = npt.NDArray[np.float64]
#: distance from an element -> its weight; the distance from which on it is 0
Filter = tuple[Callable[[float], float], float]


def _linear(distance: float) -> float:
    return max(1 - abs(distance), 0.0)


def _cubic(alpha: float) -> Callable[[float], float]:
    """R. Keys, "Cubic convolution interpolation for digital image processing", 1981."""

    def weight(distance: float) -> float:
        x = abs(distance)
        if x <= 1:
            return ((alpha + 2) * x - (alpha + 3)) * x * x + 1
        return (((x - 5) * x + 8) * x - 4) * alpha if x < 2 else 0.0

    return weight


def _filter(mode: str, antialias: bool) -> Filter:
    return (_cubic(-0.5 if antialias else -0.75), 2) if mode == "bicubic" else (_linear, 1)


def resample(
    ctx: Context,
    x: RelaxExpr,
    sizes: Sequence[Size],
    factors: Sequence[float] | None,
    mode: str,
    antialias: bool,
    align_corners: bool,
) -> RelaxExpr:
    """Emit an image of other sizes, axis by axis. `factors` are those that the user gave. Sizes must be known."""
    rank = ctx.ndim(x)
    old = [ctx.static(extent, "the size of an image") for extent in ctx.shape(x)[2:]]
    new = [ctx.static(size, "the size of an image") for size in sizes]
    pairs = list(zip(old, new, strict=True))
    steps = (
        [1 / factor for factor in factors]
        if factors and not align_corners
        else list(starmap(lambda a, b: _step(a, b, align_corners), pairs))
    )
    for axis, ((before, after), step) in enumerate(zip(pairs, steps, strict=True), 2):
        if mode.startswith("nearest"):
            shift = 0.5 if mode == "nearest-exact" else 0.0
            places = np.minimum(np.floor((np.arange(after) + shift) * step), before - 1)
            x = ctx.call(take, x, ctx.constant(places, "int64"), axis)
            continue
        matrix = _antialiased(before, after, step, mode) if antialias else _plain(before, after, step, mode)
        order = [place for place in range(rank) if place != axis] + [axis]
        product = ctx.call(matmul, ctx.permute(x, order), ctx.constant(matrix.T, ctx.dtype(x)))
        x = ctx.permute(product, [order.index(place) for place in range(rank)])
    return x


def _step(old: int, new: int, align_corners: bool) -> float:
    return (old - 1) / max(new - 1, 1) if align_corners else old / new


def _plain(old: int, new: int, step: float, mode: str) -> Matrix:
    """Return the weights of old elements in new ones."""
    weight, support = _filter(mode, False)
    matrix = np.zeros((new, old))
    for row in range(new):
        center = (row + 0.5) * step - 0.5
        center = center if mode == "bicubic" else max(center, 0.0)
        first = int(np.floor(center)) - int(support) + 1
        for place in range(first, first + 2 * int(support)):
            matrix[row, min(max(place, 0), old - 1)] += weight(center - place)
    return matrix


def _antialiased(old: int, new: int, step: float, mode: str) -> Matrix:
    """Return the weights where a filter covers all old elements that a new one stands for."""
    weight, support = _filter(mode, True)
    scale = max(step, 1.0)
    matrix = np.zeros((new, old))
    for row in range(new):
        center = (row + 0.5) * step
        first = max(int(center - support * scale + 0.5), 0)
        for place in range(first, min(int(center + support * scale + 0.5), old)):
            matrix[row, place] = weight((place - center + 0.5) / scale)
    sums: Matrix = matrix.sum(axis=1, keepdims=True)
    return matrix / sums
