"""A share of every fuzzer, with a fixed seed; scripts of examples run by themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tvmscript.ir.core.errors import UnknownName
from tvmscript.testing.fuzzing.areas import NAMES, area
from tvmscript.testing.fuzzing.engine import fuzz

_HEALTH: tuple[Any, ...] = tuple(HealthCheck)
#: examples of each area: all of them together take about 15 seconds
SHARE = {"parser": 150, "printer": 150, "arith": 600, "schedule": 60, "passes": 60, "relax": 60, "codegen": 40}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found(name: str) -> None:
    tally = fuzz([area(name)], seed=7, examples=SHARE[name])
    assert not tally.failures, tally.failures[0].script
    assert tally.examples[name] >= SHARE[name] // 2


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_a_script(name: str, tmp_path: Path) -> None:
    found: list[str] = []

    @settings(max_examples=4, phases=[Phase.generate], database=None, suppress_health_check=_HEALTH)
    @given(area(name).examples())
    def write_last(example: object) -> None:
        area(name).check(example)
        found.append(area(name).write(example))

    write_last()
    file = tmp_path / "example.py"
    file.write_text(found[-1], "utf-8")
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_such_area() -> None:
    with pytest.raises(UnknownName, match="there is no area named 'all'"):
        area("all")
