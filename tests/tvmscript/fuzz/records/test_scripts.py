"""Recorded examples have the outcomes that are recorded; a run begins with them."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import strategies as st

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.areas import NAMES
from tvmscript.fuzz.engine import fuzz
from tvmscript.fuzz.observing import is_observed, observe
from tvmscript.fuzz.records import OutcomeChanged, scripts
from tvmscript.fuzz.records.scripts import Recorded, check, outcome_of, read

#: one example in so many: `python -m tools.records --check` checks all
SHARE = 4

NOTING = "from tvmscript.fuzz.observing import observe\n\nobserve('word', lambda: {!r})\n"


@pytest.mark.long
@pytest.mark.parametrize("area", [name for name in NAMES if read(name)])
def test_outcomes_are_those_recorded(area: str) -> None:
    for record in islice(scripts.records(area), 0, None, SHARE):
        record.check()  # where the change is intended: python -m tools.records


def test_what_speaks_of_a_library_names_it_or_runs_without() -> None:
    """In an environment that has the library the others say what it would say without it."""
    for example in read("frontends"):
        if not example.needed and any(library in example.script for library in ("onnx", "torch", "tflite")):
            check("frontends", example)


def test_an_outcome_is_what_is_observed() -> None:
    example = Recorded(NOTING.format("text"), outcome_of(NOTING.format("text")))
    assert [each.split()[0] for each in example.outcome] == ["word"]
    check("numbers", example)
    with pytest.raises(OutcomeChanged, match="numbers"):
        check("numbers", replace(example, script=NOTING.format("another text")))
    printed = outcome_of("print(3)")
    assert [each.split()[0] for each in printed] == ["output"]
    assert printed != outcome_of("print(4)")


def test_nothing_is_computed_where_nobody_observes() -> None:
    def text() -> str:
        raise AssertionError

    observe("word", text)
    assert not is_observed()


def test_a_run_begins_with_what_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = [Recorded("", ()), Recorded("", ("word 12345678",)), Recorded("", ("word 87654321",))]
    monkeypatch.setattr(scripts, "read", lambda area: recorded if area == "numbers" else [])
    drawn: list[int] = []
    area = Area("numbers", "numbers", lambda: st.integers(0, 9), drawn.append, str)
    limits: dict[str, Any] = {"minutes": 0.001, "clock": time.process_time}
    tally = fuzz([area], ends_at_first=True, **limits)
    assert [each.cause.code for each in tally.failures] == [OutcomeChanged.code]
    assert (tally.examples, drawn) == ({"numbers": 2}, [])
    tally = fuzz([area], **limits)
    assert (len(tally.failures), tally.passed_over) == (1, 1)
    drawn.clear()
    # a number of examples is one of new ones
    assert not fuzz([area], examples=5).failures
    assert drawn


@pytest.mark.parametrize(("version", "can_run"), [("2.13.0+cpu", True), ("2.13.0", True), ("2.13.1", False)])
def test_builds_of_a_version_run_what_needs_it(monkeypatch: pytest.MonkeyPatch, version: str, can_run: bool) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    assert Recorded("", (), f"package-{version} 2.13.0").can_run == can_run
