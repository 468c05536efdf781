"""Tests become sessions with what they need, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tools.records.tests_as_sessions import cases, pack, sessions
from tvmscript.fuzz.records.scripts import outcome_of_call
from tvmscript.fuzz.records.sessions import check_session

_THIS = "tests.tools.records.test_tests_as_sessions"
NUMBERS = (1, 2)
UNUSED = 3


def _double(number: int) -> int:
    """Documented."""
    return 2 * number


def test_a_test_without_parameters() -> None:
    assert _double(NUMBERS[1]) == 4


def test_assertions_are_values() -> None:
    (case, *_) = cases(_THIS)
    assert case.text.splitlines()[0] == "NUMBERS = (1, 2)"
    assert "Documented" not in case.text
    assert "UNUSED" not in case.text
    assert "_double(NUMBERS[1])\n" in case.text
    assert outcome_of_call(lambda: check_session(case.text)) == outcome_of_call(lambda: check_session("2 + 2"))


def test_parameters_become_arguments() -> None:
    calls = [case.call for case in cases("tests.tvmscript.fuzz.records.test_sessions")]
    assert len([call for call in calls if call.startswith("test_other_values_are_seen(one=")]) == 6


def test_tests_of_a_file_are_one_session() -> None:
    chosen = [case for case in cases("tests.tvmscript.fuzz.records.test_sessions") if "errors" in case.call]
    (text,) = pack([*chosen, *chosen])
    assert text.count("def _outcome(") == 1
    assert text.count("test_errors_are_observed_and_the_rest_runs()") == 2


def test_tests_of_a_folder_are_written_but_those_that_need_pytest() -> None:
    scripts = [*sessions(Path(*_THIS.split(".")[:-1]))]
    assert any("_double(NUMBERS[1])" in script for script in scripts)
    assert not any("pytest" in script for script in scripts)
