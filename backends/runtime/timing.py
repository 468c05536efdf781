"""Measure the run time of a built function."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

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
    seconds = partial(_seconds_of_events, device) if is_cuda(device) else _seconds_of_clock
    function(*args)
    results: list[float] = []
    while len(results) < repeat:
        elapsed = seconds(partial(_call_often, function, args, number))
        if elapsed * 1e3 < min_repeat_ms:
            number = max(number + 1, min(number * 10, int(number * min_repeat_ms / max(elapsed * 1e3, 1e-6) * 1.1)))
            continue
        results.append(elapsed / number)
    return BenchmarkResult(tuple(results))


def _call_often(function: Callable[..., Any], args: tuple[object, ...], number: int) -> None:
    for _ in range(number):
        function(*args)


def _seconds_of_clock(run: Callable[[], None]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def _seconds_of_events(device: Device, run: Callable[[], None]) -> float:
    """Return the time between two events of a CUDA device, around the work that a function launches."""
    from tvmscript.backends.runtime import cuda_driver  # programs for the CPU need none

    driver = cuda_driver.find_driver(f"a time on {device}", device.index)
    begin = driver.record_event(current_stream(device))
    run()
    return driver.elapsed(begin, driver.record_event(current_stream(device)))
