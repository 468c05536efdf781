"""`tvmscript fuzz`: areas, limits, scripts, exit codes."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tvmscript.cli import main
from tvmscript.cli.commands.fuzz import BugFound, NeedsHypothesis
from tvmscript.fuzz import areas, engine
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.tir.expr import IntImm


def test_nothing_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "arith", "printer", "--examples", "20"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "s: arith 20, printer 20: 0 causes, 0 more failures of known ones" in told.err


def test_help_lists_the_areas(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["fuzz", "--help"])
    assert f"{', '.join(areas.NAMES)};" in " ".join(capsys.readouterr().out.split())


def test_warnings_of_drawn_texts_are_not_told(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """`0x1for 1` is text that Python reads with a warning: texts with faults are drawn on purpose."""
    fuzz = engine.fuzz

    def reads(*arguments: Any, **options: Any) -> Any:
        ast.parse("0x1for 1")
        return fuzz(*arguments, **options)

    monkeypatch.setattr(engine, "fuzz", reads)
    assert main(["fuzz", "parser", "--examples", "1"]) == 0
    assert not recwarn.list


def test_pointed_at_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "passes:tir.UnrollLoop", "--examples", "5"]) == 0
    assert "s: passes:tir.UnrollLoop 5: 0 causes" in capsys.readouterr().err
    assert main(["fuzz", "passes:tir.UnrolLoop", "--examples", "5"]) == 2
    assert "did you mean tir.UnrollLoop?" in capsys.readouterr().err


def test_shares_of_accepted_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "schedule:split", "--examples", "20", "--shares", "--json"]) == 0
    accepted, tried = json.loads(capsys.readouterr().out)["accepted"]["split"]
    assert 0 < accepted <= tried
    assert main(["fuzz", "parser", "schedule:split", "--examples", "2", "--shares"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[2] for row in rows] == ["of"] * len(rows)
    assert "split" in [row[0] for row in rows]


def test_lines_that_no_example_reached(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["fuzz", "arith", "--examples", "2", "--coverage", "--json"])
    output = capsys.readouterr()
    if sys.version_info < (3, 12):
        assert code == 2
        assert "it needs Python 3.12" in output.out
    else:
        assert code == 0
        assert any(file.endswith("analyzer.py") for file in json.loads(output.out)["unreached"])


def test_scripts_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def canonical_simplify(self: Analyzer, expr: Any) -> Any:
        return IntImm(expr.dtype, 1)

    monkeypatch.setattr(Analyzer, "canonical_simplify", canonical_simplify)
    arguments = ["fuzz", "arith", "--examples", "200", "--out", str(tmp_path), "--json"]
    assert main(arguments) == 1
    told = json.loads(capsys.readouterr().out)
    (found,) = told["findings"]
    assert found["code"] == BugFound.code
    (script,) = tmp_path.glob("*.py")
    assert str(script) in found["message"]
    assert told["examples"]["arith"] > 20
    # it is known now
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["passed_over"] > 0


@pytest.mark.parametrize("arguments", [["nothing"], ["arith", "--minutes", "0"], ["arith", "--examples", "-1"]])
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", *arguments]) == 2
    assert "error[" in capsys.readouterr().err


def test_without_hypothesis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def find_spec(name: str, package: str | None = None) -> None:
        return None

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    assert main(["fuzz", "arith"]) == 2
    assert NeedsHypothesis.code in capsys.readouterr().err


def test_an_interrupt_reports_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C while a failure is shrunk: the smallest example so far is kept."""
    checked = 0

    def canonical_simplify(self: Analyzer, expr: Any) -> Any:
        nonlocal checked
        checked += 1
        if checked > 60:
            raise KeyboardInterrupt
        return IntImm(expr.dtype, 1)

    monkeypatch.setattr(Analyzer, "canonical_simplify", canonical_simplify)
    assert main(["fuzz", "arith", "--examples", "2000", "--out", str(tmp_path)]) == 130
    told = capsys.readouterr()
    assert f"[{BugFound.code}]" in told.err
    assert "s: arith " in told.err
    assert [*tmp_path.glob("arith-*.py")]
