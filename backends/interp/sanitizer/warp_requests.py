"""Memory requests of warps: bank conflicts of shared memory, sectors of global memory.

Threads of a warp that execute one access for the same time make one request. Shared memory has 32 banks of 4 bytes; a
request of up to 4 bytes a thread takes as many passes as the most different words that one bank has to deliver. Threads
with 8 (16) bytes are served by halves (quarters) of the warp. Global memory is moved in sectors of 32 bytes. Source:
CUDA C++ Programming Guide, compute capability 5.x and later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tvmscript.backends.interp.sanitizer.shadow_memory import Site, Thread

_BANKS: Final = 32
_WORD: Final = 4
_SECTOR: Final = 32
_WARP: Final = 32


@dataclass
class Traffic:
    """The cost of the requests of an access, and what they would cost without conflicts or gaps."""

    buffer: str
    #: storage scope of the buffer
    scope: str
    requests: int = 0
    #: passes through shared memory, or sectors of global memory
    cost: int = 0
    ideal: int = 0

    @property
    def is_shared(self) -> bool:
        """Return whether the access is to shared memory."""
        return self.scope.startswith("shared")

    @property
    def ratio(self) -> float:
        """Return how many times the ideal the access costs."""
        return self.cost / max(self.ideal, 1)

    def add(self, cost: int, ideal: int) -> None:
        """Add a request."""
        self.requests += 1
        self.cost += cost
        self.ideal += ideal


class Requests:
    """The requests of the warps of a block."""

    def __init__(self) -> None:
        self.traffic: dict[Site, Traffic] = {}
        #: (access, thread) -> how often it has been executed in this block
        self._counts: dict[tuple[Site, Thread], int] = {}
        #: (access, how often it was executed, block, warp) -> lanes with their bytes
        self._lanes: defaultdict[tuple[Site, int, int, int], list[tuple[int, range]]] = defaultdict(list)

    def add(self, thread: Thread, site: Site, buffer: str, scope: str, places: range) -> None:
        """Add what a thread accesses: a part of the request of its warp."""
        if site not in self.traffic:
            self.traffic[site] = Traffic(buffer, scope)
        count = self._counts[site, thread] = self._counts.get((site, thread), 0) + 1
        warp, lane = divmod(thread.rank, _WARP)
        self._lanes[site, count, thread.block, warp].append((lane, places))

    def add_rows(self, site: Site, buffer: str, scope: str, rows: Sequence[range]) -> None:
        """Add a request of an instruction that reads rows of shared memory at the same time."""
        words = sum(len(row) for row in rows) // _WORD
        self.traffic.setdefault(site, Traffic(buffer, scope)).add(_passes(rows), max(words // _BANKS, 1))

    def end_block(self) -> None:
        """Count the requests of a block that has ended."""
        for (site, *_), lanes in self._lanes.items():
            traffic = self.traffic[site]
            traffic.add(*(shared_cost(lanes) if traffic.is_shared else global_cost(lanes)))
        self._lanes.clear()
        self._counts.clear()


def shared_cost(ranges: Iterable[tuple[int, range]]) -> tuple[int, int]:
    """Return the passes that a request takes, and how many it would take without conflicts.

    `ranges` has lanes with their bytes.

    >>> shared_cost((lane, range(lane * 128, lane * 128 + 4)) for lane in range(32))
    (32, 1)
    >>> shared_cost((lane, range(lane * 16, lane * 16 + 16)) for lane in range(32))
    (4, 4)
    """
    lanes = list(ranges)
    width = max([len(places) for _, places in lanes], default=0)
    at_once = max(min(_WARP * _WORD // max(width, 1), _WARP), 1)
    groups: defaultdict[int, list[range]] = defaultdict(list)
    for lane, places in lanes:
        groups[lane // at_once].append(places)
    return sum([_passes(group) for group in groups.values()]), len(groups)


def _passes(group: Iterable[range]) -> int:
    words: set[int] = set()
    for places in group:
        first, last = places.start // _WORD, (places.stop - 1) // _WORD
        if first == last:
            words.add(first)
        else:
            words.update(range(first, last + 1))
    banks = [0] * _BANKS
    for word in words:
        banks[word % _BANKS] += 1
    return max(banks)


def global_cost(ranges: Iterable[tuple[int, range]]) -> tuple[int, int]:
    """Return the sectors that a request moves, and the fewest that can hold its bytes.

    >>> global_cost((lane, range(lane * 8, lane * 8 + 4)) for lane in range(32))
    (8, 4)
    """
    sectors: set[int] = set()
    distinct: set[int] = set()
    for _, places in ranges:
        distinct.update(places)
        sectors.update(_sectors(places))
    return len(sectors), -(-len(distinct) // _SECTOR)


def _sectors(places: range) -> Iterator[int]:
    return iter(range(places.start // _SECTOR, (places.stop - 1) // _SECTOR + 1))
