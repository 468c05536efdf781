"""Failures are told apart by cause, made small, written down and passed over from then on."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from tvmscript.fuzz import engine
from tvmscript.fuzz.area import Area
from tvmscript.fuzz.areas import area
from tvmscript.fuzz.arith.area import draw_question
from tvmscript.fuzz.causes import cause_of
from tvmscript.fuzz.engine import fuzz
from tvmscript.fuzz.errors import TakesTooLong
from tvmscript.fuzz.scripts import known_causes
from tvmscript.ir.arith import analyzer
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, FloorDiv, IntImm
from tvmscript.testing.choices import choices

pytestmark = pytest.mark.long


class _Odd(TVMScriptError):
    message = "{name} is odd"


def _check(number: int) -> None:
    if number > 1000:
        raise _Odd(name="large")
    if number > 400:
        raise ValueError(number)


NUMBERS = Area("numbers", "numbers", lambda: st.integers(0, 5000), _check, lambda number: f"raise ValueError({number})")


def test_each_cause_is_found_once_and_small(tmp_path: Path) -> None:
    tally = fuzz([NUMBERS], seed=1, examples=500, out=tmp_path)
    assert {each.cause.error: each.script.splitlines()[-1] for each in tally.failures} == {
        "_Odd": "raise ValueError(1001)",
        "ValueError": "raise ValueError(401)",
    }
    assert tally.passed_over > 10
    assert known_causes(tmp_path) == {str(each.cause) for each in tally.failures}
    # what is there is known
    assert not fuzz([NUMBERS], seed=2, examples=200, out=tmp_path).failures


def test_the_same_seed_draws_the_same() -> None:
    drawn: list[list[int]] = [[], []]
    for each in drawn:
        listening = Area("numbers", "", lambda: st.integers(0, 5000), each.append, str)
        fuzz([listening], seed=5, examples=60)
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 20


def test_drawing_may_fail() -> None:
    def broken(_: int) -> int:
        raise KeyError("broken")

    tally = fuzz([Area("broken", "", lambda: st.integers().map(broken), _check, str)], examples=20)
    assert [each.cause.error for each in tally.failures] == ["KeyError"]


def test_endless_checks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LIMIT", 0.05)
    slow = Area("slow", "", lambda: st.just(1), lambda _: time.sleep(5), str)
    tally = fuzz([slow], examples=5)
    assert [each.cause.code for each in tally.failures] == [TakesTooLong.code]


def test_minutes_end() -> None:
    started = time.monotonic()
    tally = fuzz([Area("slow", "", lambda: st.integers(), lambda _: time.sleep(0.001), str)], minutes=0.005)
    assert 0.2 < time.monotonic() - started < 5
    assert tally.examples["slow"] > 10


def test_cause_is_where_the_package_was() -> None:
    with pytest.raises(TVMScriptError) as caught:
        IntImm("no such type", 1)
    cause = cause_of(caught.value)
    assert str(cause).startswith("InvalidDType[TS1001] at ir/core/dtype.py:")


def _wrong_simplify(original: Any) -> Any:
    def simplify(self: Any, expr: Expr, steps: int = 2) -> Expr:
        made: Expr = original(self, expr, steps)
        return Add(made, IntImm(made.dtype, 1)) if isinstance(expr, FloorDiv) else made

    return simplify


def test_planted_bug_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Quotients that are one too large: the example has one division, and its script passes once it is mended."""
    # one law of the area: the bug breaks most of them, and each failure is shrunk
    simplify = replace(area("arith"), examples=lambda: choices(64).map(partial(draw_question, "simplify")))
    with monkeypatch.context() as planted:
        planted.setattr(analyzer.Analyzer, "simplify", _wrong_simplify(analyzer.Analyzer.simplify))
        (failure,) = fuzz([simplify], seed=3, examples=200, out=tmp_path).failures
    assert "arith/area.py:_agrees" in failure.cause.place
    assert failure.cause.code == "TS8044"
    assert failure.script.count("FloorDiv(") == 1
    assert failure.path is not None
    done = subprocess.run([sys.executable, str(failure.path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ends_at_the_first() -> None:
    tally = fuzz([NUMBERS, NUMBERS], seed=1, minutes=1, ends_at_first=True, clock=time.process_time)
    assert len(tally.failures) == 1
    # it is left as it was drawn
    assert int(tally.failures[0].script.rpartition("(")[2].rstrip(")\n")) not in (401, 1001)


def test_minutes_of_another_clock() -> None:
    seconds = iter(range(100))
    tally = fuzz([Area("none", "", st.none, lambda _: None, str)], minutes=1, clock=lambda: 10.0 * next(seconds))
    assert 1 <= tally.examples["none"] <= 6
