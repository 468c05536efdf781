"""`tvmscript print`."""

from __future__ import annotations

import io
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.cli.samples import BROKEN, NORMAL, PYTHON, SLOPPY, as_json, write
from tvmscript.cli import main
from tvmscript.printer.options import Options

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("text", [NORMAL, SLOPPY])
def test_normal_form(tmp_path: Path, capsys: Captured, text: str) -> None:
    assert main(["print", write(tmp_path, text)]) == 0
    assert capsys.readouterr() == (NORMAL, "")


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--indent", "2"], {"indent_spaces": 2}),
        (["--no-sugar"], {"syntax_sugar": False}),
        (["--no-syntax-sugar"], {"syntax_sugar": False}),
        (["--tir-prefix", "Q", "--buffer-dtype=int8"], {"tir_prefix": "Q", "buffer_dtype": "int8"}),
        (["--line-numbers"], {"print_line_numbers": True}),
        (["--name", "g"], {"name": "g"}),
    ],
)
def test_flags_are_the_options_of_the_printer(
    tmp_path: Path, capsys: Captured, flags: list[str], options: dict[str, object]
) -> None:
    assert main(["print", write(tmp_path, NORMAL), *flags]) == 0
    assert capsys.readouterr().out == tvmscript.from_source(NORMAL).script(**options) + "\n"


def test_every_plain_option_has_a_flag(capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main(["print", "--help"])
    text = capsys.readouterr().out
    for entry in fields(Options):
        if str(entry.type) in ("bool", "int", "str", "str | None"):
            assert entry.name.replace("_", "-") in text


def test_several_programs(tmp_path: Path, capsys: Captured) -> None:
    """Each under its own name; what needs Python is an error."""
    assert main(["print", write(tmp_path, PYTHON)]) == 1
    out, err = capsys.readouterr()
    for line in ("def before(", "def inner(", "def uses_constant(A: T.Buffer((16,)", "class Mod:"):
        assert line in out
    assert "error[TS7014]: uses_python is not checked" in err


def test_run_is_asked_for(tmp_path: Path, capsys: Captured) -> None:
    text = "from tvmscript import T\nN = len('four')\n@T.prim_func\ndef f(A: T.Buffer((N,), 'int8')):\n    A[0] = 1\n"
    assert main(["print", "--run", write(tmp_path, text)]) == 0
    assert "def f(A: T.Buffer((4,), " in capsys.readouterr().out


def test_errors(tmp_path: Path, capsys: Captured) -> None:
    assert main(["print", write(tmp_path, BROKEN)]) == 1
    assert capsys.readouterr().err.count("error[TS") == 2


@pytest.mark.parametrize("flags", [["--int-dtype", "nope"], ["--tir-prefix", "1"]])
def test_options_with_wrong_values(tmp_path: Path, capsys: Captured, flags: list[str]) -> None:
    assert main(["print", write(tmp_path, NORMAL), *flags]) == 2
    assert "error[TS" in capsys.readouterr().err


def test_json(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SLOPPY.encode())))
    document = as_json(capsys, "print", "-")
    assert document["programs"] == [{"file": "<stdin>", "name": "f", "text": NORMAL.rstrip("\n")}]
