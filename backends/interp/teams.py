"""Threads while they run: those of a block, and blocks that run at once because they wait for each other.

Each thread is a Python thread with its own frame. One of them runs at a time, until it waits or ends. When all wait,
threads of a warp that wait at the same operation continue with each other's values; if there are none, those that wait
at a reduction; then those at a barrier of a block, and those at one of all blocks. Blocks of a cluster access each
other's shared memory and wait for each other by arrivals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

from tvmscript.backends.interp.barrier_state import Barrier
from tvmscript.backends.interp.calls import Returned
from tvmscript.backends.interp.compiler import Code, Frame
from tvmscript.backends.interp.memory import Memory, Pointer, allocate
from tvmscript.backends.interp.monitor import Monitor, ThreadPlace
from tvmscript.backends.interp.shared_addresses import SharedAddresses
from tvmscript.backends.runtime.errors import Deadlock, ExecutionError
from tvmscript.ir.core import Node
from tvmscript.ir.tir import Allocate

THREAD_TAGS: Final = ("threadIdx.x", "threadIdx.y", "threadIdx.z")
BLOCK_TAGS: Final = ("blockIdx.x", "blockIdx.y", "blockIdx.z")
#: indices of blocks in their cluster
CLUSTER_TAGS: Final = ("clusterCtaIdx.x", "clusterCtaIdx.y", "clusterCtaIdx.z")
#: Bytes of the stack of a thread of Python: closures take little of it.
_STACK: Final = 1 << 19
#: Bits of an address in the shared memory of a block; above them is the place of another block in the cluster, plus 1.
_ADDRESS_BITS: Final = 24

#: Gives each of the threads that meet what it goes on with.
Meeting = Callable[["list[Member]"], None]


class _Cancelled(BaseException):
    """Signal that the launch has failed in another thread."""


class Waiting(NamedTuple):
    """What a thread waits for that other threads, or copies, bring about."""

    node: Node
    is_over: Callable[[], bool]


class Member:
    """A thread of a block."""

    def __init__(self, grid: Grid, team: Team, indices: dict[str, int], number: int, frame: Frame) -> None:
        self.grid = grid
        self.team = team
        #: tag -> index
        self.indices = indices
        #: the number among all threads of the block, x first
        self.number = number
        #: the number among all threads that run at once
        self.place = len(grid.members)
        self.frame = frame
        #: where it waits: None while it runs and when it has ended
        self.site: tuple[str, object] | None = None
        self.meeting: Meeting | None = None
        self.given: Any = None
        self.answer: Any = None
        #: allocation -> how often it was run
        self.runs: dict[Node, int] = {}
        #: how often it has arrived at the barrier of its cluster
        self.cluster_arrivals = 0
        self.go = threading.Lock()
        self.go.acquire()
        self.life: Future[None] | None = None
        self.has_ended = False

    def meet(self, level: str, site: object, meeting: Meeting | None = None, given: object = None) -> Any:
        """Wait for the other threads and return the result of the meeting."""
        self.site, self.meeting, self.given = (level, site), meeting, given
        self.grid.rest.put(self)
        if self.grid.error is None:  # a thread that was running when the launch failed is not resumed
            self.go.acquire()
        if self.grid.error is not None:
            raise _Cancelled
        return self.answer

    def waits_at(self, level: str) -> bool:
        """Return whether the thread waits for others at a kind of barrier."""
        return self.site is not None and self.site[0] == level


class Team:
    """The threads of one block, and what they share."""

    def __init__(self, cluster: list[Team], barriers: dict[Pointer, Barrier]) -> None:
        #: the blocks of the cluster in the order of their ranks
        self.cluster = cluster
        self.members: list[Member] = []
        #: number of `create_barriers` -> barrier
        self._own_barriers: dict[int, Barrier] = {}
        #: address in shared memory -> barrier, of all blocks
        self._barriers = barriers
        #: (allocation, how often it was run, warp) -> memory
        self._memory: dict[tuple[Node, int, int], Memory] = {}
        self._keys: dict[Memory, tuple[Node, int, int]] = {}
        self._addresses = SharedAddresses()

    @property
    def running(self) -> list[Member]:
        """The threads that have not ended."""
        return [member for member in self.members if not member.has_ended]

    def barrier_at(self, place: Pointer | int) -> Barrier:
        """Return the barrier at an address in shared memory, or of a number in the block."""
        if isinstance(place, Pointer):
            return self._barriers.setdefault(place, Barrier())
        return self._own_barriers.setdefault(place, Barrier())

    def shared(self, member: Member, node: Allocate, size: int, warp: int) -> Memory:
        """Return the memory that all threads (or those of a warp) share for this execution of an allocation."""
        count = member.runs[node] = member.runs.get(node, 0) + 1
        return self._memory_of((node, count, warp), size, node.buffer_var.name, node.buffer_var.storage_scope)

    def _memory_of(self, key: tuple[Node, int, int], size: int, name: str, scope: str | None) -> Memory:
        memory = self._memory.get(key)
        if memory is None:
            memory = self._memory[key] = allocate(size, name, scope or "shared")
            self._keys[memory] = key
        return memory

    @property
    def memories(self) -> Iterable[Memory]:
        """The shared memory of the block."""
        return self._keys

    def place_in_block(self, pointer: Pointer, rank: int) -> Pointer | None:
        """Return the same place in the shared memory of a block of the cluster; None where no such memory is."""
        key = self._keys.get(pointer.memory)
        if not 0 <= rank < len(self.cluster):
            return None
        if key is None:  # allocated outside of the threads, of a single block
            return pointer if len(self.cluster) == 1 else None
        memory = pointer.memory
        other = self.cluster[rank]._memory_of(key, len(memory.raw), memory.name, memory.scope)
        return Pointer(other, pointer.offset)

    def number_of(self, pointer: Pointer) -> int:
        """Return the number of an address in the shared memory of the block, or of another one of the cluster."""
        for rank, team in enumerate(self.cluster):
            if team is not self and pointer.memory in team._keys:
                return rank + 1 << _ADDRESS_BITS | team._addresses.number(pointer)
        return self._addresses.number(pointer)

    def pointer_of(self, number: int) -> Pointer | None:
        """Return the address of a number, None where no memory is."""
        rank, place = (number >> _ADDRESS_BITS) - 1, number & (1 << _ADDRESS_BITS) - 1
        if rank < 0:
            return self._addresses.pointer(number)
        return self.cluster[rank]._addresses.pointer(place) if rank < len(self.cluster) else None

    def has_arrived(self, count: int) -> bool:
        """Return whether all threads have arrived so often at the barrier of the cluster; those that ended have."""
        return all(member.cluster_arrivals >= count for member in self.running)


@dataclass(frozen=True)
class LaunchExtents:
    """The extents of a launch along its axes."""

    extents: Mapping[str, int]

    def _of(self, tags: Sequence[str]) -> tuple[int, ...]:
        return tuple([self.extents.get(tag, 1) for tag in tags])

    def _blocks(self) -> tuple[int, ...]:
        """Return the extents of the grid: those of a cluster where there are no others."""
        pairs = zip(BLOCK_TAGS, self._of(CLUSTER_TAGS), strict=True)
        return tuple([self.extents.get(tag, cluster) for tag, cluster in pairs])

    def threads(self) -> Iterator[dict[str, int]]:
        """Yield the indices of the threads of a block, x first."""
        return _indices(THREAD_TAGS, self._of(THREAD_TAGS))

    def uneven_axis(self) -> str | None:
        """Return an axis along which the blocks are no multiple of those of a cluster."""
        pairs = zip(BLOCK_TAGS, self._blocks(), self._of(CLUSTER_TAGS), strict=True)
        return next((tag for tag, blocks, size in pairs if blocks % max(size, 1)), None)

    def clusters(self) -> Iterator[list[dict[str, int]]]:
        """Yield the indices of the blocks of each cluster, in the order of their ranks.

        >>> list(LaunchExtents({"blockIdx.x": 4, "clusterCtaIdx.x": 2}).clusters())[1][0]["blockIdx.x"]
        2
        """
        size = self._of(CLUSTER_TAGS)
        counts = [blocks // max(count, 1) for blocks, count in zip(self._blocks(), size, strict=True)]
        for cluster in _indices(BLOCK_TAGS, counts):
            blocks: list[dict[str, int]] = []
            for ranks in _indices(CLUSTER_TAGS, size):
                places = zip(cluster.items(), size, ranks.values(), strict=True)
                indices = {tag: first * count + rank for (tag, first), count, rank in places} | ranks
                blocks.append({tag: index for tag, index in indices.items() if tag in self.extents})
            yield blocks


def _indices(tags: Sequence[str], extents: Sequence[int]) -> Iterator[dict[str, int]]:
    for indices in product(*map(range, reversed(extents))):
        yield dict(zip(tags, reversed(indices), strict=True))


def run_threads(
    launched: LaunchExtents, frame: Frame, slot: int, body: Code, monitor: Monitor | None, *, has_grid_barrier: bool
) -> None:
    """Run the body in every thread of every block: all blocks at once if they wait for each other, else by clusters.

    Each thread has a copy of the frame; `slot` has the member.
    """
    clusters = list(launched.clusters())
    threads = list(launched.threads())

    def run(chosen: Iterable[list[dict[str, int]]]) -> None:
        grid = Grid(monitor)
        for blocks in chosen:
            grid.add_cluster(blocks, threads, frame, slot)
        grid.run(body)

    if has_grid_barrier or monitor is None or len(clusters) == 1:
        for chosen in [clusters] if has_grid_barrier else [[cluster] for cluster in clusters]:
            run(chosen)
    else:
        monitor.run_iterations("cluster", range(len(clusters)), lambda number: run([clusters[number]]))


@dataclass(eq=False)
class Grid:
    """The threads of blocks that run at once."""

    monitor: Monitor | None
    members: list[Member] = field(default_factory=list[Member])
    teams: list[Team] = field(default_factory=list[Team])
    error: BaseException | None = None
    #: an item for each time that a thread waits or ends; an interrupt of a semaphore may leave its lock taken
    rest: SimpleQueue[Member] = field(default_factory=SimpleQueue[Member])
    barriers: dict[Pointer, Barrier] = field(default_factory=dict[Pointer, Barrier])

    def add_cluster(
        self, blocks: Sequence[dict[str, int]], threads: Sequence[dict[str, int]], frame: Frame, slot: int
    ) -> None:
        """Add the threads of the blocks of a cluster, each with a copy of the frame."""
        cluster: list[Team] = []
        for block in blocks:
            team = Team(cluster, self.barriers)
            for number, thread in enumerate(threads):
                own = list(frame)
                own[slot] = Member(self, team, {**block, **thread}, number, own)
                team.members.append(own[slot])
                self.members.append(own[slot])
            cluster.append(team)
        self.teams += cluster

    def run(self, body: Code) -> None:
        """Run the body in every thread."""
        if self.monitor is not None:
            number_of = {team: number for number, team in enumerate(self.teams)}
            self.monitor.begin_threads(
                [ThreadPlace(member.indices, member.number, number_of[member.team]) for member in self.members]
            )
        before = threading.stack_size(_STACK)
        try:
            with ThreadPoolExecutor(len(self.members) or 1) as pool:
                is_over = False
                try:
                    for member in self.members:
                        self._observe_switch(member)
                        member.life = pool.submit(self._live, member, body)
                        self._rest_of(member)
                    while self.error is None and (waiting := self._waiting()):
                        self.resume(self._next(waiting))
                    is_over = True
                except ExecutionError as error:
                    self.error = error
                finally:
                    # threads that still wait end, whatever has happened: the pool waits for them
                    if not is_over:
                        self.error = self.error or _Cancelled()
                    self.resume(self._waiting())
        finally:
            threading.stack_size(before)
        if self.error is not None:
            raise self.error
        if self.monitor is not None:
            blocks = enumerate(self.teams) if len(self.teams) > 1 else ()
            self.monitor.end_threads({memory: block for block, team in blocks for memory in team.memories})

    def _observe_switch(self, member: Member) -> None:
        if self.monitor is not None:
            self.monitor.resume(member.place)

    def _live(self, member: Member, body: Code) -> None:
        try:
            body(member.frame)
        except (Returned, _Cancelled):
            pass
        finally:
            member.has_ended = True
            self.rest.put(member)

    def _waiting(self) -> list[Member]:
        return [member for member in self.members if member.site is not None]

    def resume(self, members: list[Member]) -> None:
        """Run threads one after the other, each until it waits again or ends."""
        for member in members:
            self._observe_switch(member)
            member.site = None
            member.go.release()
            self._rest_of(member)

    def _rest_of(self, member: Member) -> None:
        self.rest.get()
        if member.has_ended and member.life is not None:
            self.error = self.error or member.life.exception()

    def _next(self, waiting: list[Member]) -> list[Member]:
        """Return the threads that continue, with their answers set. Raises `Deadlock` where none can."""
        awaited = {member: member.given for member in waiting if isinstance(member.given, Waiting)}
        ready = [member for member, event in awaited.items() if event.is_over()]
        if ready:
            return ready
        others = [member for member in waiting if member not in awaited]
        for level in ("warp", "reduce"):
            groups = _by_site(others, level)
            for group in groups:
                self._observe_meeting(level, group)
                meeting = group[0].meeting
                if meeting is not None:
                    meeting(group)
            if groups:
                return [member for group in groups for member in group]
        for group in _by_site(others, "named"):
            if len(group) == group[0].given:
                self._observe_meeting("named", group)
                return group
        at_blocks = [group for team in self.teams if (group := _at(team.members, "block"))]
        complete = [group for group in at_blocks if len(group) == len(group[0].team.running)]
        at_grid = _at(others, "grid")
        if not complete and at_grid and self._is_grid_complete(at_grid):
            self._observe_meeting("grid", at_grid)
            return at_grid
        for group in complete or at_blocks:
            self._observe_meeting("block", group)
        if at_blocks:
            return [member for group in complete or at_blocks for member in group]
        if at_grid:
            self._observe_meeting("grid", at_grid)
        sites: list[object] = [event.node for event in awaited.values()] or [
            member.site[1] for member in at_grid if member.site
        ]
        span = next((site.span for site in sites if isinstance(site, Node)), None)
        raise Deadlock(waiting=len(waiting), threads=len(self.members), span=span)

    def _is_grid_complete(self, at_grid: list[Member]) -> bool:
        """Return whether all threads that have not ended wait for all blocks, and every block has such a thread."""
        return len(at_grid) == sum(not member.has_ended for member in self.members) and all(
            team.running for team in self.teams
        )

    def _observe_meeting(self, level: str, group: list[Member]) -> None:
        if self.monitor is None:
            return
        sites = {member.place: member.site[1] for member in group if member.site is not None}
        concerned = self.members if level == "grid" else group[0].team.members
        ended = sum(member.has_ended for member in concerned)
        self.monitor.synchronize(level, sites, size=len(concerned), ended=ended)
        self.monitor.resume(group[0].place)


def _at(members: Sequence[Member], level: str) -> list[Member]:
    return [member for member in members if member.waits_at(level)]


def _by_site(members: Sequence[Member], level: str) -> list[list[Member]]:
    """Return the threads of a block that wait at a place of the program together."""
    groups: dict[tuple[Team, object], list[Member]] = {}
    for member in members:
        if member.site is not None and member.site[0] == level:
            groups.setdefault((member.team, member.site[1]), []).append(member)
    return list(groups.values())
