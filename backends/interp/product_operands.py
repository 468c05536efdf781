"""What a product of a warp group (wgmma) uses while it runs: registers of a thread, and matrices in shared memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tvmscript.backends.interp.memory import Memory


class MemoryRange(NamedTuple):
    """Bytes of a memory."""

    memory: Memory
    places: range

    def overlaps(self, other: MemoryRange) -> bool:
        """Return whether the ranges have a byte in common."""
        mine, theirs = self.places, other.places
        return self.memory is other.memory and mine.start < theirs.stop and theirs.start < mine.stop


def merge_adjacent(ranges: Iterable[MemoryRange]) -> list[MemoryRange]:
    """Return ranges of which those that follow each other are one."""
    merged: list[MemoryRange] = []
    for memory, places in ranges:
        if merged and merged[-1].memory is memory and merged[-1].places.stop == places.start:
            merged[-1] = MemoryRange(memory, range(merged[-1].places.start, places.stop))
        else:
            merged.append(MemoryRange(memory, places))
    return merged


class ProductRegisters(NamedTuple):
    """The registers that a product uses in a thread."""

    #: products of one shape add to the same sums in order
    shape: str
    sums: Sequence[MemoryRange]
    factors: Sequence[MemoryRange]


class SharedOperands:
    """The bytes of shared memory that a product reads, in chunks of one size."""

    def __init__(self, size: int) -> None:
        self._size = size
        #: memory -> numbers of chunks
        self._chunks: dict[Memory, set[int]] = {}

    def add(self, memory: Memory, start: int) -> None:
        """Add the chunk that begins at a byte."""
        self._chunks.setdefault(memory, set()).add(start // self._size)

    def has(self, memory: Memory, places: range) -> bool:
        """Return whether one of these bytes is read."""
        chunks = self._chunks.get(memory)
        touched = range(places.start // self._size, (places.stop - 1) // self._size + 1)
        return chunks is not None and not chunks.isdisjoint(touched)

    def ranges(self) -> list[MemoryRange]:
        """Return the bytes, adjacent ones together."""
        return merge_adjacent(
            MemoryRange(memory, range(chunk * self._size, (chunk + 1) * self._size))
            for memory, chunks in self._chunks.items()
            for chunk in sorted(chunks)
        )
