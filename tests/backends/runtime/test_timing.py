"""Measurements by a clock that each call moves: how often functions are called, and what is told of the times."""

from __future__ import annotations

import time

import pytest

from tvmscript.backends.runtime.timing import BenchmarkResult, measure

#: seconds of a call, which floats count exactly: 0.9765625 ms
_STEP = 2.0**-10


class _Clock:
    """A clock that stands but for the calls of a function."""

    def __init__(self, seconds: float = _STEP) -> None:
        self.now = 0.0
        self.calls = 0
        self._seconds = seconds

    def work(self, *args: object) -> None:
        """Take the time of a call."""
        assert args == (1, "a")
        self.calls += 1
        self.now += self._seconds


def _measured(clock: _Clock, monkeypatch: pytest.MonkeyPatch, number: int, repeat: int = 1, least: float = 0.0) -> int:
    monkeypatch.setattr(time, "perf_counter", lambda: clock.now)
    result = measure(clock.work, (1, "a"), number=number, repeat=repeat, min_repeat_ms=least)
    assert result.results == (_STEP,) * repeat
    return clock.calls


def test_a_call_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _measured(_Clock(), monkeypatch, number=4, repeat=3) == 1 + 3 * 4


@pytest.mark.parametrize(
    ("number", "least", "calls"),
    [
        (2, 1.953125, 1 + 2),
        (2, 10.0, 1 + 2 + 11),  # 10 / 1.95 times as many, and a tenth more
        (2, 100.0, 1 + 2 + 20 + 112),  # at most ten times as many at once
        (1, 1.0, 1 + 1 + 2),  # at least one more
    ],
)
def test_calls_for_a_least_time(number: int, least: float, calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _measured(_Clock(), monkeypatch, number, least=least) == calls


def test_later_repeats_begin_with_as_many_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _measured(_Clock(), monkeypatch, 2, repeat=3, least=10.0) == 1 + 2 + 3 * 11


def test_calls_that_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock begins to move after two runs, of which each is ten times as long as the one before."""
    clock = _Clock(0.0)
    monkeypatch.setattr(time, "perf_counter", lambda: clock.now + max(clock.calls - 112, 0) * 1.0)
    assert measure(clock.work, (1, "a"), number=1, min_repeat_ms=1.0).results == (1.0,)
    assert clock.calls == 1 + 1 + 10 + 100 + 1000


def test_what_is_told() -> None:
    result = BenchmarkResult((0.001, 0.004, 0.002, 0.001))
    assert (result.min, result.max, result.median, result.mean) == (0.001, 0.004, 0.0015, 0.002)
    assert result.std == pytest.approx(0.0015**0.5 * 0.001**0.5)
    assert str(result).splitlines() == [
        "Execution time summary:",
        " mean (ms)   median (ms)    max (ms)     min (ms)     std (ms)  ",
        "   2.0000       1.5000       4.0000       1.0000       1.2247                  ",
    ]
    assert repr(result).startswith("BenchmarkResult(min=0.001, mean=0.002, median=0.0015, max=0.004, std=0.0012")
    assert repr(result).endswith("results=(0.001, 0.004, 0.002, 0.001))")
