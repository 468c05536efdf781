"""Asynchronous copies that are under way: groups of a thread, and those that complete with a barrier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tvmscript.backends.interp.memory import Memory
from tvmscript.backends.interp.sanitizer.shadow_memory import Thread
from tvmscript.ir.tir import Call


class Copy(NamedTuple):
    """Bytes that a copy writes, or reads."""

    memory: Memory
    places: range
    site: Call


class Copies:
    """The copies of the threads of a block."""

    def __init__(self) -> None:
        #: groups of a thread that are not complete; the last one is open
        self._groups: dict[Thread, list[list[Copy]]] = {}
        #: barrier in shared memory -> the copies that complete with it
        self._attached: dict[object, list[Copy]] = {}
        #: memory -> byte -> the copy that is using it
        self.pending: dict[Memory, dict[int, Call]] = {}

    def start(self, thread: Thread, memory: Memory, places: range, site: Call) -> None:
        """Begin a copy in the open group of a thread."""
        self._groups_of(thread)[-1].append(Copy(memory, places, site))
        self.pending.setdefault(memory, {}).update(dict.fromkeys(places, site))

    def user_of(self, memory: Memory, places: range) -> Call | None:
        """Return a copy that is using one of these bytes."""
        pending = self.pending.get(memory)
        return next((pending[place] for place in places if place in pending), None) if pending else None

    def commit(self, thread: Thread) -> None:
        """Close the open group of a thread."""
        self._groups_of(thread).append([])

    def wait(self, thread: Thread, pending: int) -> Sequence[Copy]:
        """Complete all but the last groups of a thread, and return their copies."""
        groups = self._groups_of(thread)
        count = max(len(groups) - 1 - pending, 0)
        complete = [copy for group in groups[:count] for copy in group]
        del groups[:count]
        self._end(complete)
        return complete

    def attach(self, thread: Thread, barrier: object) -> Sequence[Copy]:
        """Let the copies of a thread complete with a barrier, and return them."""
        attached = [copy for group in self._groups.pop(thread, []) for copy in group]
        self._attached.setdefault(barrier, []).extend(attached)
        return attached

    def complete(self, barrier: object) -> None:
        """Complete the copies of a barrier."""
        self._end(self._attached.pop(barrier, []))

    def unfinished(self) -> Iterator[tuple[Thread, Copy]]:
        """Yield the copies that no thread has waited for, which complete with no barrier."""
        for thread, groups in self._groups.items():
            for group in groups:
                for copy in group:
                    yield thread, copy

    def _groups_of(self, thread: Thread) -> list[list[Copy]]:
        return self._groups.setdefault(thread, [[]])

    def _end(self, copies: Sequence[Copy]) -> None:
        for memory, places, _ in copies:
            users = self.pending.get(memory, {})
            for place in places:
                users.pop(place, None)
            if not users:
                self.pending.pop(memory, None)
