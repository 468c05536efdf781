"""Shadow memory: the last accesses to each element, and whether two accesses are ordered.

Blocks of a launch and iterations of a parallel loop are steps of a path. Work on two paths is concurrent if they first
differ in the part of a step, and ordered if they first differ in the scope, which is a new one for each execution of a
loop. Threads of one block have vector clocks, which synchronization joins: an access is before another one if the
thread of the latter has seen its time (Lamport, 1978; Mattern, 1989). Checking each access with the last write and the
reads after it finds a race of every racy run (Flanagan and Freund, "FastTrack", PLDI 2009).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tvmscript.backends.interp.memory import Memory
from tvmscript.backends.interp.monitor import ThreadPlace
from tvmscript.ir.tir import Expr, Stmt


class Step(NamedTuple):
    """One of the concurrent parts of a scope."""

    scope: int
    part: int
    #: the name for messages, such as `blockIdx.x = 3`
    label: str = ""


Path = tuple[Step, ...]
#: the statement or expression that accesses memory
Site = Expr | Stmt


#: thread of the block -> the time up to which another thread knows what it did
Clock = list[int]

#: accesses to a byte that are remembered beyond a write that changes nothing
_KEPT: Final = 2


def join(clocks: Sequence[Clock]) -> Clock:
    """Return what threads know together."""
    return list(map(max, *clocks)) if len(clocks) > 1 else clocks[0].copy()


class Thread:
    """A thread of a block, or an iteration without threads."""

    __slots__ = ("block", "clock", "fenced", "number", "path", "place", "rank")

    def __init__(self, path: Path, number: int = 0, size: int = 1, place: ThreadPlace | None = None) -> None:
        self.path = path
        #: its entry in clocks
        self.number = number
        self.place = place
        self.clock: Clock = [0] * size
        self.clock[number] = 1
        #: what it knows of writes that a proxy fence follows: the asynchronous proxy sees them
        self.fenced: Clock = [0] * size
        #: the number of the thread in its block, and of the block among those that run at once
        self.rank, self.block = (0, 0) if place is None else (place.number, place.block)


class Access(NamedTuple):
    """An access to memory by a thread at its time."""

    thread: Thread
    time: int
    site: Site
    is_write: bool


def is_concurrent(earlier: Access, thread: Thread) -> bool:
    """Return whether nothing orders an access before what a thread does now."""
    other = earlier.thread
    if other is thread:
        return False
    if other.path is not thread.path:  # threads of a block share it
        for a, b in zip(other.path, thread.path, strict=False):
            if a.scope != b.scope:
                return False
            if a.part != b.part:
                return True
        if other.path != thread.path:
            return False
    return thread.clock[other.number] < earlier.time


def is_shared(memory: Memory) -> bool:
    """Return whether memory belongs to the threads of a block."""
    return memory.scope is not None and memory.scope.startswith("shared")


@dataclass(slots=True)
class _Cell:
    write: Access | None = None
    #: since the last write: the last one of each thread; and accesses that race with that write, which changes nothing
    reads: dict[Thread, Access] = field(default_factory=dict[Thread, Access])


class ShadowMemory:
    """The last accesses to each element of all memory that a program touches."""

    def __init__(self) -> None:
        #: the memory stays alive, so that its identity stays its own
        self._cells: dict[Memory, dict[int, _Cell]] = {}
        #: bytes of a cell: all accesses to a memory so far begin and end at multiples of it
        self._grains: dict[Memory, int] = {}

    def read(self, access: Access, memory: Memory, places: range) -> list[tuple[Access, int]]:
        """Record a read, and return concurrent writes with the byte."""
        concurrent: list[tuple[Access, int]] = []
        shadow, covered = self._cover(memory, places)
        for place in covered:
            cell = shadow.get(place)
            if cell is None:
                cell = shadow[place] = _Cell()
            elif cell.write is not None and is_concurrent(cell.write, access.thread):
                concurrent.append((cell.write, place))
            cell.reads[access.thread] = access
        return concurrent

    def write(self, access: Access, memory: Memory, places: range) -> list[tuple[Access, int]]:
        """Record a write, and return concurrent accesses with the byte."""
        concurrent: list[tuple[Access, int]] = []
        shadow, covered = self._cover(memory, places)
        for place in covered:
            cell = shadow.get(place)
            if cell is None:
                shadow[place] = _Cell(access)
                continue
            earlier = (cell.write, *cell.reads.values())
            concurrent += [(each, place) for each in earlier if each and is_concurrent(each, access.thread)]
            cell.write = access
            cell.reads.clear()
        return concurrent

    def keep(self, memory: Memory, accesses: Sequence[tuple[Access, int]]) -> None:
        """Remember accesses to bytes before the last write: a later write races with them, too.

        A byte has two of them, so that one is by another thread than that of the later write.
        """
        cells = self._cells[memory]
        for access, place in accesses:
            reads = cells[place].reads
            if len(reads) < _KEPT:
                reads.setdefault(access.thread, access)

    def _cover(self, memory: Memory, places: range) -> tuple[dict[int, _Cell], range]:
        """Return the cells of a memory, and where those begin that hold these bytes."""
        shadow = self._cells.get(memory)
        if shadow is None:
            shadow = self._cells[memory] = {}
        old = self._grains.get(memory, 0)
        grain = math.gcd(old, places.start, places.stop)
        if grain != old:
            self._grains[memory] = grain
            for start, cell in list(shadow.items()):
                for place in range(start + grain, start + old, grain):
                    shadow[place] = _Cell(cell.write, dict(cell.reads))
        return shadow, range(places.start, places.stop, grain)

    def forget_shared(self) -> None:
        """Forget what was done to shared memory: each block of a launch has its own."""
        self._cells = {memory: shadow for memory, shadow in self._cells.items() if not is_shared(memory)}

    def writes(self, memory: Memory, places: range) -> Iterator[Access]:
        """Return the last writes to these bytes."""
        shadow, covered = self._cover(memory, places)
        cells = (shadow[place] for place in covered if place in shadow)
        return (cell.write for cell in cells if cell.write is not None)

    def accesses(self, memory: Memory) -> Iterator[Access]:
        """Return the last writes to a memory, and the reads after them."""
        for cell in self._cells.get(memory, {}).values():
            yield from cell.reads.values()
            if cell.write is not None:
                yield cell.write

    def is_written(self, memory: Memory, places: range) -> bool:
        """Return whether all of these bytes have been written."""
        shadow, covered = self._cover(memory, places)
        for place in covered:
            cell = shadow.get(place)
            if cell is None or cell.write is None:
                return False
        return True
