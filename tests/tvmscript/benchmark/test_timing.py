"""Calls that take turns: which is faster, by which clock."""

from __future__ import annotations

import time

from tvmscript.benchmark.timing import Race


def busy(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_faster_and_slower_calls() -> None:
    timings = Race(1, 1 << 16).run({"slow": lambda: busy(3e-3), "fast": lambda: busy(1e-3)}, 0.05)
    assert list(timings) == ["slow", "fast"]
    assert 2.5 < timings["slow"].best / timings["fast"].best < 3.5
    for timing in timings.values():
        assert timing.spread >= 0
        assert timing.best <= timing.cold * 1.1
        assert timing.best <= timing.wall * 1.1


def test_the_clock_of_one_thread_does_not_count_sleep() -> None:
    one = Race(1, 1 << 16).run({"sleep": lambda: time.sleep(2e-3)}, 0.02)["sleep"]
    assert one.best < 1e-3 < one.wall
    two = Race(2, 1 << 16).run({"sleep": lambda: time.sleep(2e-3)}, 0.02)["sleep"]
    assert two.best >= 2e-3
