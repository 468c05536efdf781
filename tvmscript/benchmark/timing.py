"""Times of calls that take turns, so that what disturbs the machine disturbs all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

Call = Callable[[], object]

#: seconds that calls of one group take together, well above the resolution of the clocks
_GROUP_SECONDS: Final = 2e-4
_ROUNDS: Final = 5
_COLD_CALLS: Final = 5


@dataclass(frozen=True)
class Timing:
    """Seconds of one call."""

    #: the fastest, by the clock that decides: CPU time of the thread, or wall time with several threads
    best: float
    #: how much longer the middle one of all groups of calls took, as a part of the fastest
    spread: float
    #: wall time of the fastest
    wall: float
    #: the fastest with its arguments out of the caches
    cold: float


@dataclass
class _Samples:
    """Seconds of calls of one candidate, by the clock that decides and by wall time."""

    call: Call
    group: int = 1
    times: list[float] = field(default_factory=list[float])
    walls: list[float] = field(default_factory=list[float])
    cold: list[float] = field(default_factory=list[float])


class Race:
    """Measures candidates in turns.

    `threads` decides the clock: CPU time of this thread, or wall time where other threads work too. `cache_bytes` are
    those of the caches, which are emptied before a cold call.
    """

    def __init__(self, threads: int, cache_bytes: int) -> None:
        self._clock = time.thread_time if threads == 1 else time.perf_counter
        self._evicting = np.ones(2 * cache_bytes // 8)

    def run(self, calls: Mapping[str, Call], seconds: float) -> dict[str, Timing]:
        """Return the timing of each call, which takes about so many seconds of measuring."""
        candidates = {name: _Samples(call) for name, call in calls.items()}
        for samples in candidates.values():
            samples.call()
            once = max(self._sample(samples, 1)[0], 1e-7)
            samples.group = max(1, round(_GROUP_SECONDS / once))
        for _ in range(_ROUNDS):
            for samples in candidates.values():
                self._round(samples, seconds / _ROUNDS)
        for _ in range(_COLD_CALLS):
            for samples in candidates.values():
                self._evicting += 1
                samples.cold.append(self._sample(samples, 1)[0])
        return {name: _summary(samples) for name, samples in candidates.items()}

    def _round(self, samples: _Samples, seconds: float) -> None:
        """Sample groups of calls for a moment, at least one."""
        end = time.perf_counter() + seconds
        while True:
            best, wall = self._sample(samples, samples.group)
            samples.times.append(best)
            samples.walls.append(wall)
            if time.perf_counter() >= end:
                return

    def _sample(self, samples: _Samples, group: int) -> tuple[float, float]:
        """Return seconds of a call by both clocks, the mean of a group."""
        call, clock = samples.call, self._clock
        wall, begin = time.perf_counter(), clock()
        for _ in range(group):
            call()
        return (clock() - begin) / group, (time.perf_counter() - wall) / group


def _summary(samples: _Samples) -> Timing:
    best = min(samples.times)
    spread = statistics.median(samples.times) / best - 1 if best else 0.0
    return Timing(best, spread, min(samples.walls), min(samples.cold))
