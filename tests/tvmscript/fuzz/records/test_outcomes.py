"""Recorded outcomes: areas make what is recorded, another outcome is found first, every pass changes a program."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.areas import NAMES, area
from tvmscript.fuzz.engine import fuzz
from tvmscript.fuzz.records import OutcomeChanged, outcomes
from tvmscript.fuzz.records.outcomes import UNCHANGED, Outcomes, Refused, describe
from tvmscript.ir.tir import IntImm, Var
from tvmscript.ir.tir.expr import Add
from tvmscript.ir.transform.registry import pass_modules

RECORDED = [name for name in NAMES if area(name).outcomes is not None]
#: passes that change no program
LOOKING = {"PrintIR", "tir.Filter", "tir.OOBChecker", *(name for name in pass_modules() if ".Verify" in name)}


def _outcomes(name: str) -> Outcomes:
    chosen = area(name).outcomes
    assert chosen is not None
    return chosen


@pytest.mark.parametrize("name", RECORDED)
def test_a_share_of_each_area_is_as_recorded(name: str) -> None:
    for subject, number in islice(_outcomes(name).entries(), 0, None, 197):
        _outcomes(name).check(subject, number)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", RECORDED)
def test_all_is_as_recorded(name: str) -> None:
    for subject, number in _outcomes(name).entries():
        _outcomes(name).check(subject, number)


@pytest.mark.parametrize("name", RECORDED)
def test_every_subject_is_recorded(name: str) -> None:
    assert set(_outcomes(name).recorded) == set(_outcomes(name).subjects())


def test_every_pass_changes_a_program() -> None:
    recorded = _outcomes("passes").recorded
    idle = {name for name, marks in recorded.items() if all(mark[0] in "=!" for mark in marks)}
    assert idle <= LOOKING


def test_verifiers_take_and_refuse() -> None:
    for name in pass_modules():
        if ".Verify" in name:
            marks = {kind[0] for kind in _outcomes("passes").recorded[name]}
            assert marks == {"=", "!"}, name


class _Numbers:
    """Outcomes of a function of numbers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        monkeypatch.setattr(outcomes, "_RECORDS", folder)
        self.factor = 2
        self.of_area = Outcomes("numbers", lambda: ["b", "a"], self.run, count=4, slow=["a"])
        self.of_area.write(self.of_area.run_all())

    def run(self, subject: str, rng: random.Random) -> Any:
        value = rng.randrange(100) * self.factor
        return UNCHANGED if value % 3 == 0 else Refused("TS1", "odd") if value % 3 == 1 else IntImm("int32", value)


def test_another_outcome_is_found_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    numbers = _Numbers(monkeypatch, tmp_path)
    lines = (tmp_path / "numbers.txt").read_text("utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["a", "b"]
    assert [len(line.split()) for line in lines] == [2, 5]
    tested = Area("numbers:b", "", st.none, lambda _: None, str, outcomes=numbers.of_area)
    assert not fuzz([tested], minutes=0.001, clock=time.process_time).failures
    numbers.factor = 5
    (failure,) = fuzz([tested], minutes=0.001, clock=time.process_time, ends_at_first=True).failures
    assert failure.cause.error == OutcomeChanged.__name__
    assert "area('numbers').outcomes.check('b', " in failure.script


def test_some_subjects_are_recorded_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    numbers = _Numbers(monkeypatch, tmp_path)
    before = (tmp_path / "numbers.txt").read_text("utf-8").splitlines()
    numbers.factor = 7
    numbers.of_area.write({**numbers.of_area.recorded, **numbers.of_area.run_all(["b"])})
    after = (tmp_path / "numbers.txt").read_text("utf-8").splitlines()
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_descriptions_are_the_same_in_every_process() -> None:
    x = Var("x", "int32")
    assert describe({x: [1.5, None]}) == describe({Var("x", "int32"): [1.5, None]})
    assert describe(Add(x, x)) != describe(Add(x, Var("y", "int32")))
    assert describe({"b", "a"}) == "{a, b}"
    assert describe(0.1 + 0.2) == describe(0.3)


def test_a_script_checks_an_outcome() -> None:
    record = next(_outcomes("schedule").records(["split"]))
    done = subprocess.run([sys.executable, "-c", record.script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
