"""Every case file: the text after the schedule, that it reads back, that it computes the same, that TVM agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.golden import is_updating
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.casefile import cases, load
from tests.ir.schedule.values import same_values
from tvmscript.ir.core.equality.equal import assert_structural_equal

every_case = pytest.mark.parametrize("path", cases(), ids=lambda path: path.stem)


@every_case
def test_text(path: Path) -> None:
    made = load(path).result().script()
    if is_updating():
        load(path).update(made)
    assert made.strip() == load(path).after.strip()


@every_case
def test_reads_back(path: Path) -> None:
    made = load(path).result()
    assert_structural_equal(made, tvmscript.from_source(made.script()), map_free_vars=True)


@every_case
def test_same_values(path: Path) -> None:
    case = load(path)
    if case.values_differ:
        pytest.skip(case.values_differ)
    same_values(case.program(), case.result(), tolerance=1e-5)


@every_case
def test_what_it_shows_is_said(path: Path) -> None:
    case = load(path)
    assert case.sentence.endswith(".")
    assert hasattr(case.scheduled(), case.primitive)
    assert f"sch.{case.primitive}(" in case.script


@pytest.mark.oracle
@every_case
def test_tvm_agrees(path: Path, oracle: Any) -> None:
    case = load(path)
    if case.tvm_differs:
        pytest.skip(case.tvm_differs)
    outcome = both(oracle, case.before, case.script)
    outcome.check()
    assert outcome.has_same_text, outcome.describe()
