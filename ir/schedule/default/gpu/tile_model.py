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
#: the share of the time that is left, at most, where a product is worth more launches
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


class Shares(NamedTuple):
    """Equal shares of all steps of the tiles of a product: one for each of the blocks that are computed at once."""

    blocks: int
    #: rows, columns and terms of a step of a tile
    tile: tuple[int, int, int]
    #: tiles in a row of them, and steps of a tile
    tiles_of_row: int
    steps: int
    #: all tiles
    tiles: int

    @property
    def size(self) -> int:
        """The steps of a share."""
        return -(-self.tiles * self.steps // self.blocks)

    @property
    def most_blocks_of_tile(self) -> int:
        """The blocks whose shares a tile may lie in."""
        return (self.steps - 1) // self.size + 2


class Time(NamedTuple):
    """How long a product takes, in products that a multiprocessor computes meanwhile; the tiling."""

    products: int
    tiling: WarpTiling


def time_of_product(
    tilings: Sequence[WarpTiling],
    target: Target,
    size: tuple[int, int, int],
    step: int,
    batch: int = 1,
    *,
    is_splittable: bool = True,
) -> Time:
    """Return the least time of a product of so many rows, columns and terms, in steps of terms.

    A wave computes a tile on each multiprocessor. A tile takes as long as its products, or the elements that it loads.
    Parts of the terms are stored and loaded by another launch, if they are splittable.
    """
    at_once = multiprocessors(target)
    rows, columns, terms = size

    def time(tiling: WarpTiling) -> int:
        tiles = batch * -(-rows // tiling.rows) * -(-columns // tiling.columns)
        parts = parts_of_terms((tiling.rows, tiling.columns, step), size, at_once) if is_splittable else 1
        of_tiles = -(-tiles * parts // at_once) * _time_of_term(tiling) * terms // parts
        if parts == 1:
            return of_tiles
        return of_tiles + LAUNCH + rows * columns * parts * _PRODUCTS_PER_PARTIAL_SUM // at_once

    return min((Time(time(tiling), tiling) for tiling in tilings), key=lambda each: each.products)


def _time_of_term(tiling: WarpTiling) -> int:
    """Return how long a tile takes for a term: its products, or the elements that it loads."""
    return max(tiling.rows * tiling.columns, (tiling.rows + tiling.columns) * _PRODUCTS_PER_ELEMENT)


def shares_of_steps(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int, int, int], step: int
) -> Shares | None:
    """Return shares of the steps of less than a wave of whole tiles, where that takes less time than whole sums.

    A block has parts of two tiles at most, whose sums it stores; another launch adds them.

    >>> tilings, hopper = [WarpTiling(128, 256, 2, 1)], Target.make("cuda -arch=sm_90a")
    >>> shares_of_steps(tilings, hopper, (1280, 1792, 8192), 64).size
    68
    >>> shares_of_steps(tilings, hopper, (2048, 2048, 2048), 64)
    """
    return _time_with_shares(tilings, target, size, step)[1]


def _time_with_shares(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int, int, int], step: int
) -> tuple[int, Shares | None]:
    """Return the least time of a product, and shares where they take less time than whole sums."""
    whole = time_of_product(tilings, target, size, step).products
    timed = _least_shares(tilings, target, size, step)
    return timed if timed is not None and timed[0] <= whole * _LEAST_GAIN else (whole, None)


def _least_shares(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int, int, int], step: int
) -> tuple[int, Shares] | None:
    """Return the shares that take the least time, and the time, None where there are no whole tiles."""
    at_once = multiprocessors(target)
    rows, columns, terms = size
    timed: list[tuple[int, Shares]] = []
    for tiling in tilings:
        tiles_of_row, steps = columns // tiling.columns, terms // step
        tiles = rows // tiling.rows * tiles_of_row
        is_whole = not (rows % tiling.rows or columns % tiling.columns or terms % step)
        shares = Shares(at_once, (tiling.rows, tiling.columns, step), tiles_of_row, steps, tiles)
        if is_whole and tiles < at_once and shares.size * step >= _LEAST_TERMS:
            # two parts of each block are stored; of those of a tile, as many are loaded as blocks have steps of it
            sums = (2 * at_once + at_once + tiles) // 2 * tiling.rows * tiling.columns
            time = shares.size * step * _time_of_term(tiling) + LAUNCH + sums * _PRODUCTS_PER_PARTIAL_SUM // at_once
            timed.append((time, shares))
    return min(timed, key=lambda each: each[0], default=None)


def cheapest_tiling(
    tilings: Sequence[WarpTiling],
    target: Target,
    size: tuple[int | None, int | None, int | None],
    step: int = 0,
    batch: int = 1,
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
    size_of_each = rows, columns, terms or 1
    return time_of_product(tilings, target, size_of_each, step, batch, is_splittable=is_splittable).tiling


def rows_of_whole_waves(
    tilings: Sequence[WarpTiling], target: Target, size: tuple[int, int, int], step: int, *, has_shares: bool = False
) -> int | None:
    """Return how many of the rows fill waves, where it takes less time to compute the other ones by another launch.

    Parts of the terms of these are added as in any product of few tiles, or steps are shared. None where tiles are no
    more than a wave, or waves are full.

    >>> tilings, hopper = [WarpTiling(128, 256, 2, 1)], Target.make("cuda -arch=sm_90a")
    >>> [rows_of_whole_waves(tilings, hopper, (rows, rows, 4096), 64) for rows in (2048, 2304, 3072, 8192)]
    [None, 1792, 2816, None]
    """
    rows, columns, terms = size
    whole = time_of_product(tilings, target, size, step)
    if -(-rows // whole.tiling.rows) * -(-columns // whole.tiling.columns) <= multiprocessors(target):
        return None

    def time_of(count: int) -> int:
        rows_alone = count, columns, terms
        if has_shares:
            return _time_with_shares(tilings, target, rows_alone, step)[0]
        return time_of_product(tilings, target, rows_alone, step).products

    def time(first: int) -> int:
        return time_of(first) + time_of(rows - first) + LAUNCH

    heights = [tiling.rows for tiling in tilings]
    unit, least = max(heights), min(heights)
    best = min(range((rows - least) // unit * unit, 0, -unit), key=time, default=None)
    return best if best is not None and time(best) <= whole.products * _LEAST_GAIN else None
