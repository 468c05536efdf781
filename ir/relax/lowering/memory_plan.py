"""Offsets of temporary storage in one block of memory, by lifetime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

#: offsets are multiples of this many bytes: cache lines, and the widest vectors
ALIGNMENT: Final = 64


@dataclass(frozen=True)
class Lifetime:
    """The numbers of the first and of the last call that use a storage."""

    first: int
    last: int

    def overlaps(self, other: Lifetime) -> bool:
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class MemoryPlan:
    """An offset for each storage, and the bytes of the block."""

    offsets: tuple[int, ...]
    size: int


def align(size: int) -> int:
    """Return the size, rounded up to the alignment."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def peak_of_live_bytes(sizes: Sequence[int], lifetimes: Sequence[Lifetime]) -> int:
    """Return the largest sum of aligned sizes that live at the same time: no plan is smaller."""
    changes: dict[int, int] = {}
    for size, life in zip(sizes, lifetimes, strict=True):
        changes[life.first] = changes.get(life.first, 0) + align(size)
        changes[life.last + 1] = changes.get(life.last + 1, 0) - align(size)
    peak = live = 0
    for time in sorted(changes):
        live += changes[time]
        peak = max(peak, live)
    return peak


def plan_memory(sizes: Sequence[int], lifetimes: Sequence[Lifetime]) -> MemoryPlan:
    """Return offsets at which no two storages that live at the same time overlap.

    Storages are placed one after the other into the smallest gap that fits, the largest first (greedy by size:
    Y. Pisarchyk and J. Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020). Where that exceeds the
    peak of live bytes, other orders are tried, and the smallest plan is returned.
    """
    bound = peak_of_live_bytes(sizes, lifetimes)
    best: MemoryPlan | None = None
    for order in _ORDERS:
        plan = _place(sizes, lifetimes, sorted(range(len(sizes)), key=lambda item: order(sizes[item], lifetimes[item])))
        if best is None or plan.size < best.size:
            best = plan
        if best.size <= bound:
            break
    assert best is not None
    return best


#: orders in which storages are placed
_ORDERS: Final[tuple[Callable[[int, Lifetime], tuple[int, ...]], ...]] = (
    lambda size, life: (-size, life.first),
    lambda size, life: (life.first, -size),
    lambda size, life: (-size * (life.last - life.first + 1), life.first),
    lambda size, life: (life.first - life.last, -size),
    lambda size, life: (-life.last, -size),
)


def _place(sizes: Sequence[int], lifetimes: Sequence[Lifetime], order: Sequence[int]) -> MemoryPlan:
    """Place storages in an order, each into the smallest gap between those that live with it."""
    offsets = [0] * len(sizes)
    placed: list[int] = []
    total = 0
    for item in order:
        size = align(sizes[item])
        neighbours = sorted(
            (offsets[other], align(sizes[other])) for other in placed if lifetimes[other].overlaps(lifetimes[item])
        )
        offsets[item] = _smallest_gap(neighbours, size)
        placed.append(item)
        total = max(total, offsets[item] + size)
    return MemoryPlan(tuple(offsets), total)


def _smallest_gap(neighbours: Sequence[tuple[int, int]], size: int) -> int:
    """Return the offset of the smallest gap that fits; the end of the last neighbour where none does."""
    end = 0
    gap: tuple[int, int] | None = None
    for offset, extent in neighbours:
        if offset - end >= size and (gap is None or offset - end < gap[0]):
            gap = offset - end, end
        end = max(end, offset + extent)
    return end if gap is None else gap[1]
