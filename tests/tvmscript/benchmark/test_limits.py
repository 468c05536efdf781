"""What the machine can do is in the range of machines, and no kernel is better."""

from __future__ import annotations

import pytest

from tvmscript.benchmark.limits import Limits, measure_limits
from tvmscript.benchmark.timing import Race


def test_limits_of_this_machine() -> None:
    limits = measure_limits(Race(1, 1 << 20), 1, {"float32", "float64"}, "llvm", 0.02)
    assert 1e9 < limits.operations["float64"] < limits.operations["float32"] < 1e13
    assert 1e8 < limits.bytes < 1e13


def test_a_target_without_vectors_does_less() -> None:
    race = Race(1, 1 << 20)
    scalar = measure_limits(race, 1, {"float32"}, "llvm -mcpu=x86-64", 0.02)
    assert scalar.operations["float32"] < measure_limits(race, 1, {"float32"}, "llvm", 0.02).operations["float32"]


@pytest.mark.parametrize(("operations", "moved", "seconds"), [(4, 1, 2.0), (1, 40, 4.0), (0, 10, 1.0)])
def test_the_least_time_of_work(operations: int, moved: int, seconds: float) -> None:
    assert Limits({"float32": 2.0}, 10.0).seconds("float32", operations, moved) == seconds
