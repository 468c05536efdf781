"""A share of every fuzzer, with a fixed seed; scripts of examples run by themselves."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tvmscript.fuzz.areas import NAMES, area
from tvmscript.fuzz.engine import fuzz
from tvmscript.fuzz.passes.area import Pipeline
from tvmscript.fuzz.passes.programs import LOWERING
from tvmscript.fuzz.schedule.area import Scheduled
from tvmscript.fuzz.schedule.steps import STEPS
from tvmscript.ir.core.errors import UnknownName

pytestmark = pytest.mark.long

_HEALTH: tuple[Any, ...] = tuple(HealthCheck)
#: examples of each area: all of them together take about 15 seconds
SHARE = {
    "parser": 75, "printer": 75, "nodes": 100, "analysis": 30, "arith": 300, "schedule": 30, "passes": 30,
    "relax": 30, "codegen": 20, "builds": 12, "runtime": 30, "te": 15, "graphs": 20, "cuda": 1,
    "frontends": 100,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found(name: str) -> None:
    tally = fuzz([area(name)], seed=7, examples=SHARE[name])
    assert not tally.failures, tally.failures[0].script
    assert tally.examples[name] >= SHARE[name] // 2


# a script of kernels for CUDA compiles the headers once more
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.fuzz if name == "cuda" else ()) for name in NAMES]
)
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


def test_pointed_at_some_passes() -> None:
    seen: Counter[str] = Counter()
    pointed = area("passes:tir.LoopPartition,tir.UnrollLoop")

    def note(example: Pipeline) -> None:
        seen.update(name.partition("{")[0] for name in example.names)

    fuzz([replace(pointed, check=note)], seed=1, examples=60)
    assert pointed.name == "passes:tir.LoopPartition,tir.UnrollLoop"
    assert pointed.whole == "passes"
    assert seen.keys() <= {"tir.LoopPartition", "tir.UnrollLoop", *",".join(LOWERING.values()).split(",")}
    assert min(seen["tir.LoopPartition"], seen["tir.UnrollLoop"]) > 10


def test_pointed_at_some_primitives(tmp_path: Path) -> None:
    steps: Counter[str] = Counter()
    scripts: list[str] = []
    pointed = area("schedule:split,compute_at")

    def note(example: Scheduled) -> None:
        pointed.check(example)
        steps.update(STEPS.keys() & set(re.findall(r"sch\.(\w+)\(", example.trace)))
        scripts.append(pointed.write(example))

    fuzz([replace(pointed, check=note)], seed=1, examples=30)
    assert steps["split"] > max(count for name, count in steps.items() if name not in ("split", "compute_at"))
    file = tmp_path / "example.py"
    file.write_text(scripts[-1], "utf-8")
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("passes:tir.LopPartition", "no pass named 'tir.LopPartition'", "did you mean tir.LoopPartition?"),
        ("schedule:spilt", "no primitive named 'spilt'", "did you mean split?"),
        ("schedule:", "no primitive named 'schedule:'", "such as schedule:add_unit_loop"),
        ("printer:Add", "no subject named 'printer:Add'", "printer is looked at as a whole"),
    ],
)
def test_no_such_subject(text: str, message: str, hint: str) -> None:
    with pytest.raises(UnknownName, match=f"there is {message}") as caught:
        area(text)
    assert caught.value.hint == hint


def test_no_such_area() -> None:
    with pytest.raises(UnknownName, match="there is no area named 'all'"):
        area("all")
