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


def cheapest_tiling(
    tilings: Sequence[WarpTiling], target: Target, rows: int | None, columns: int | None, batch: int = 1
) -> WarpTiling:
    """Return the tiling that takes the least time; the first one where a size is unknown.

    A wave computes a tile on each multiprocessor. A tile takes as long as its products, or the elements that it loads.

    >>> tilings = [WarpTiling(128, 128, 2, 2), WarpTiling(64, 64, 2, 2)]
    >>> cheapest_tiling(tilings, Target.make("cuda -arch=sm_90a"), 4096, 4096)
    WarpTiling(rows=128, columns=128, row_warps=2, column_warps=2)
    >>> cheapest_tiling(tilings, Target.make("cuda -arch=sm_90a"), 512, 512)
    WarpTiling(rows=64, columns=64, row_warps=2, column_warps=2)
    """
    if rows is None or columns is None:
        return tilings[0]
    at_once = multiprocessors(target)

    def cost(tiling: WarpTiling) -> int:
        tiles = -(-rows // tiling.rows) * -(-columns // tiling.columns) * batch
        return -(-tiles // at_once) * max(
            tiling.rows * tiling.columns, (tiling.rows + tiling.columns) * _PRODUCTS_PER_ELEMENT
        )

    return min(tilings, key=cost)
