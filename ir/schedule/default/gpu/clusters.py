"""Clusters of blocks that share long rows, and the cost model that says how many do."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.gpu_rule import extent_of
from tvmscript.ir.schedule.default.gpu.tile_model import arch_of, multiprocessors
from tvmscript.ir.schedule.random_variables import LoopRV
from tvmscript.ir.schedule.schedule import Schedule

#: the axis of the blocks of a cluster: rows are along x
CLUSTER_AXIS: Final = "clusterCtaIdx.y"
#: sizes that every device with clusters has
_SIZES: Final = (1, 2, 4, 8)
_FIRST_ARCH: Final = 90
#: bits at least of values that blocks of a cluster give each other
CLUSTER_BITS: Final = 32
#: Terms that a multiprocessor reads while the blocks of a cluster meet twice: 1 us at 30 GB/s of each.
MEETING_TERMS: Final = 8192


def cluster_size(target: Target, rows: int | None, terms: int | None, threads: int) -> int:
    """Return how many blocks share a row: as many as let the slowest multiprocessor read the fewest terms.

    One where each multiprocessor has a row, and before Hopper.

    >>> hopper = Target.make("cuda -arch=sm_90a")
    >>> [cluster_size(hopper, rows, 1 << 20, 256) for rows in (4, 50, 4096)]
    [8, 2, 1]
    >>> cluster_size(hopper, 4, 4096, 256), cluster_size(Target.make("cuda -arch=sm_80"), 4, 1 << 20, 256)
    (1, 1)
    """
    at_once = multiprocessors(target)
    if rows is None or terms is None or rows >= at_once or arch_of(target) < _FIRST_ARCH:
        return 1

    def cost(size: int) -> int:
        return -(-rows * size // at_once) * (-(-terms // size) + (MEETING_TERMS if size > 1 else 0))

    return min([size for size in _SIZES if size * threads <= terms or size == 1], key=cost)


def count_of(sch: Schedule, loops: Sequence[LoopRV]) -> int | None:
    """Return the number of iterations of loops together, None where an extent is no constant."""
    extents = [extent_of(sch, loop) for loop in loops]
    return None if None in extents else prod(extent for extent in extents if extent is not None)


def share_terms(sch: Schedule, terms: LoopRV, size: int, threads: int) -> tuple[LoopRV, LoopRV]:
    """Split a loop over the blocks of a cluster and their threads; return the loops of a thread, and of threads."""
    if size == 1:
        steps, lane = sch.split(terms, [None, threads])
    else:
        rank, steps, lane = sch.split(terms, [size, None, threads])
        sch.bind(rank, CLUSTER_AXIS)
    sch.bind(lane, "threadIdx.x")
    return steps, lane
