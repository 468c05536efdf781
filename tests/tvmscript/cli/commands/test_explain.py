"""`tvmscript explain`: every error has a meaning, and its examples do what they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.cli.samples import as_json
from tvmscript.cli import main
from tvmscript.cli.commands import explain
from tvmscript.ir.core.errors import TVMScriptError

CATALOGUE = explain.catalogue()

#: What no short program can show: texts of megabytes, deep nesting, functions without a file, the base of refusals,
#: constants of another file.
WITHOUT_EXAMPLES = {"TS2020", "TS2027", "TS2030", "TS2031", "TS2051"}
#: Errors of texts. Those from TS1400 on are of tensor expressions, which are Python values.
OF_TEXTS = {code for code in CATALOGUE if code < "TS1400" or "TS2000" <= code < "TS2300"}
EXAMPLES = sorted(path.stem for path in explain.EXPLANATIONS.glob("*.md"))


def run(text: str, folder: Path) -> None:
    """Read a program; run a text that imports this package, as Python does."""
    if "tvmscript" not in text:
        tvmscript.from_source(text)
        return
    # a file of its own: bytecode of another text of the same size and second would be taken for that of this one
    path = folder / f"example_{len([*folder.glob('*.py')])}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("example", path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_error_has_a_meaning(code: str) -> None:
    cls = CATALOGUE[code]
    assert cls.__doc__
    assert cls.__doc__ not in {base.__doc__ for base in cls.__mro__[1:]}
    text = explain.explanation(cls)
    assert text.startswith(f"{code} {cls.__name__}: ")
    assert "{" not in text.splitlines()[0]


def test_errors_of_programs_have_examples() -> None:
    assert not OF_TEXTS - WITHOUT_EXAMPLES - set(EXAMPLES)
    assert set(EXAMPLES) <= set(CATALOGUE)


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples(code: str, tmp_path: Path) -> None:
    examples = explain.examples(code)
    assert list(examples) == ["Wrong", "Right"]
    with pytest.raises(TVMScriptError) as caught:
        run(examples["Wrong"], tmp_path)
    assert [error.code for error in caught.value.errors] == [code]
    run(examples["Right"], tmp_path)


def told(code: str | None, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    done = main(["explain", *([code] if code else [])])
    out, err = capsys.readouterr()
    return done, out, err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    done, out, _ = told(None, capsys)
    assert done == 0
    assert [line[:6] for line in out.splitlines()] == list(CATALOGUE)
    assert all(len(line) > 20 for line in out.splitlines())


def test_one(capsys: pytest.CaptureFixture[str]) -> None:
    done, out, _ = told("ts2003", capsys)
    assert done == 0
    assert out.startswith("TS2003 UndefinedName: <name> is not defined\n")
    assert "    A[0] = exp(A[1])" in out
    assert "    A[0] = T.exp(A[1])" in out


def test_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    done, out, err = told("TS20003", capsys)
    assert (done, out) == (2, "")
    assert "did you mean TS2003?" in err
    assert err.startswith("error[TS7017]: ")
    assert "tvmscript explain lists all codes" in told("none", capsys)[2]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = as_json(capsys, "explain", "TS2003")["errors"]
    assert (error["code"], error["name"], error["message"]) == ("TS2003", "UndefinedName", "{name} is not defined")
    assert "exp(A[1])" in error["wrong"]
    assert "T.exp(A[1])" in error["right"]
    assert [each["code"] for each in as_json(capsys, "explain")["errors"]] == list(CATALOGUE)
