"""Measure the run time of a built function."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tvmscript.backends.runtime.device import Device, current_stream, is_cuda


@dataclass(frozen=True)
class BenchmarkResult:
    """Seconds for one call, one value for each repeat."""

    results: tuple[float, ...]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.results)

    @property
    def median(self) -> float:
        return statistics.median(self.results)

    @property
    def min(self) -> float:
        return min(self.results)

    @property
    def max(self) -> float:
        return max(self.results)

    @property
    def std(self) -> float:
        return statistics.pstdev(self.results)

    def __str__(self) -> str:
        """Return TVM's table: two lines in columns of 12 characters."""
        columns = {"mean": self.mean, "median": self.median, "max": self.max, "min": self.min, "std": self.std}
        head = " ".join([f"{f'{name} (ms)':^12}" for name in columns])
        row = " ".join([f"{value * 1e3:^12.4f}" for value in columns.values()])
        return f"Execution time summary:\n{head}\n{row}{' ' * 15}"

    def __repr__(self) -> str:
        return (
            f"BenchmarkResult(min={self.min}, mean={self.mean}, median={self.median}, max={self.max}, std={self.std}, "
            f"results={self.results})"
        )


def measure(
    function: Callable[..., Any],
    args: tuple[object, ...],
    *,
    number: int = 10,
    repeat: int = 1,
    min_repeat_ms: float = 0.0,
    device: object = None,
) -> BenchmarkResult:
    """Times of `repeat` runs of `number` calls each, after one call that is not counted.

    Calls for a CUDA device are timed by events on the current stream. With `min_repeat_ms`, `number` grows
    until one run takes at least that long.
    """
    clock = clock_of(device)
    function(*args)
    results: list[float] = []
    while len(results) < repeat:
        begin = clock.now()
        for _ in range(number):
            function(*args)
        elapsed = clock.seconds(begin, clock.now())
        if elapsed * 1e3 < min_repeat_ms:
            number = max(number + 1, min(number * 10, int(number * min_repeat_ms / max(elapsed * 1e3, 1e-6) * 1.1)))
            continue
        results.append(elapsed / number)
    return BenchmarkResult(tuple(results))


class Clock(Protocol):
    """Points in time, as numbers, and the seconds between two of them."""

    def now(self) -> float:
        """Return this point in time."""
        ...

    def seconds(self, begin: float, end: float) -> float:
        """Return the seconds between two points in time, each of which is asked for once."""
        ...


class _ProcessClock:
    """The clock of the machine."""

    def now(self) -> float:
        return time.perf_counter()

    def seconds(self, begin: float, end: float) -> float:
        return end - begin


class _EventClock:
    """Events behind the work on the current stream of a CUDA device."""

    def __init__(self, device: Device) -> None:
        from tvmscript.backends.runtime import cuda_driver  # programs for the CPU need none

        self._device = device
        self._driver = cuda_driver.find_driver(f"a time on {device}", device.index)

    def now(self) -> float:
        return self._driver.record_event(current_stream(self._device))

    def seconds(self, begin: float, end: float) -> float:
        return self._driver.elapsed(int(begin), int(end))


def clock_of(device: object) -> Clock:
    """Return a clock for work on a device. Raises `NoCudaDriver`."""
    return _EventClock(device) if is_cuda(device) else _ProcessClock()
