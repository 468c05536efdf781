"""A cost model of tiles of matrix products: work in waves of multiprocessors, bytes that come through L2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tvmscript.ir.core import Target
from tvmscript.ir.core.targets.cuda import cuda_arch

_DEFAULT_ARCH: Final = 80
#: architecture -> multiprocessors of its largest device
_MULTIPROCESSORS: Final = {75: 72, 80: 108, 86: 84, 89: 142, 90: 132, 100: 148}
#: Products that tensor cores compute while L2 gives an element: 600 TFLOP/s beside 6.6 TB/s on Hopper. Tiles of fewer
#: products for each element that they load wait for L2.
_PRODUCTS_PER_ELEMENT: Final = 90
#: the same while a sum of float32 is stored to L2 and loaded
_PRODUCTS_PER_PARTIAL_SUM: Final = 4 * _PRODUCTS_PER_ELEMENT
#: products in the 2.3 us (at 600 TFLOP/s) between the last tiles of a launch and full pipelines of the next one
LAUNCH: Final = 5 << 20
#: terms of a part at least
_LEAST_TERMS: Final = 512
#: waves of which the last one is worth a launch, and the least share of the time that is left
_MOST_WAVES: Final = 4
_LEAST_GAIN: Final = 0.92


class WarpTiling(NamedTuple):
    """A tile of a product, and how many warps share its rows and its columns."""

    rows: int
    columns: int
    row_warps: int
    column_warps: int

    @property
    def elements_of_warp(self) -> int:
        """The elements of the tile that a warp computes."""
        return self.rows * self.columns // (self.row_warps * self.column_warps)


def arch_of(target: Target) -> int:
    """Return the number of an architecture, 80 where the target does not say it."""
    return cuda_arch(target) or _DEFAULT_ARCH


def multiprocessors(target: Target) -> int:
    """Return how many multiprocessors the largest device of an architecture has."""
    return _MULTIPROCESSORS.get(arch_of(target), _MULTIPROCESSORS[_DEFAULT_ARCH])


def parts_of_terms(tile: tuple[int, int, int], size: tuple[int, int, int], at_once: int) -> int:
    """Return in how many equal parts terms are added, so that parts of tiles are as many as are computed at once.

    Sizes are those of rows, columns and terms, of a tile and of a product.

    >>> parts_of_terms((64, 64, 64), (128, 128, 16384), 132), parts_of_terms((64, 64, 64), (1024, 1024, 1024), 132)
    (32, 1)
    >>> parts_of_terms((128, 256, 64), (1408, 1024, 6144), 132)
    3
    """
    (rows, columns, terms), step = size, tile[2]
    tiles = -(-rows // tile[0]) * -(-columns // tile[1])
    most = min(at_once // tiles, terms // _LEAST_TERMS)
    return max((parts for parts in range(2, most + 1) if terms % (parts * step) == 0), default=1)


class Time(NamedTuple):
    """How long a product takes, in products that a multiprocessor computes meanwhile; the tiling."""

    products: int
    tiling: WarpTiling


def time_of_product(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int, int, int], step: int, *, is_splittable: bool = True
) -> Time:
    """Return the least time of a product of so many rows, columns and terms, in steps of terms.

    A wave computes a tile on each multiprocessor. A tile takes as long as its products, or the elements that it loads.
    Parts of the terms are stored and loaded by another launch, if they are splittable.
    """
    at_once = multiprocessors(target)
    rows, columns, terms = size

    def time(tiling: WarpTiling) -> int:
        tiles = -(-rows // tiling.rows) * -(-columns // tiling.columns)
        parts = parts_of_terms((tiling.rows, tiling.columns, step), size, at_once) if is_splittable else 1
        of_step = max(tiling.rows * tiling.columns, (tiling.rows + tiling.columns) * _PRODUCTS_PER_ELEMENT)
        of_tiles = -(-tiles * parts // at_once) * of_step * terms // parts
        if parts == 1:
            return of_tiles
        return of_tiles + LAUNCH + rows * columns * parts * _PRODUCTS_PER_PARTIAL_SUM // at_once

    return min((Time(time(tiling), tiling) for tiling in tilings), key=lambda each: each.products)


def cheapest_tiling(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int | None, int | None, int | None], step: int = 0
) -> WarpTiling:
    """Return the tiling that takes the least time for rows, columns and terms; the first one where a size is unknown.

    Terms are split in whole steps, not where these are 0, or their number is unknown.

    >>> tilings = [WarpTiling(128, 128, 2, 2), WarpTiling(64, 64, 2, 2)]
    >>> cheapest_tiling(tilings, Target.make("cuda -arch=sm_90a"), (4096, 4096, 4096))
    WarpTiling(rows=128, columns=128, row_warps=2, column_warps=2)
    >>> cheapest_tiling(tilings, Target.make("cuda -arch=sm_90a"), (512, 512, 512))
    WarpTiling(rows=64, columns=64, row_warps=2, column_warps=2)
    """
    rows, columns, terms = size
    if rows is None or columns is None:
        return tilings[0]
    is_splittable = step > 0 and terms is not None
    return time_of_product(tilings, target, (rows, columns, terms or 1), step, is_splittable=is_splittable).tiling


def rows_of_whole_waves(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int, int, int], step: int
) -> int | None:
    """Return how many of the rows fill waves, where it takes less time to compute the other ones by another launch.

    Parts of the terms of these are added as in any product of few tiles. None where waves are many, or full.

    >>> tilings, hopper = [WarpTiling(128, 256, 2, 1)], Target.make("cuda -arch=sm_90a")
    >>> [rows_of_whole_waves(tilings, hopper, (rows, rows, 4096), 64) for rows in (2048, 2304, 3072, 8192)]
    [None, 1792, 2816, None]
    """
    rows, columns, terms = size
    whole = time_of_product(tilings, target, size, step)
    tiles = -(-rows // whole.tiling.rows) * -(-columns // whole.tiling.columns)
    if not multiprocessors(target) < tiles <= multiprocessors(target) * _MOST_WAVES:
        return None

    def time(first: int) -> int:
        parts = [time_of_product(tilings, target, (count, columns, terms), step) for count in (first, rows - first)]
        return sum(part.products for part in parts) + LAUNCH

    heights = [tiling.rows for tiling in tilings]
    unit, least = max(heights), min(heights)
    best = min(range((rows - least) // unit * unit, 0, -unit), key=time, default=None)
    return best if best is not None and time(best) <= whole.products * _LEAST_GAIN else None
