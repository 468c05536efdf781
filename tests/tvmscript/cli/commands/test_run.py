"""The command `tvmscript`: what a person sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tvmscript.cli.samples import as_json
from tvmscript.cli import main

ADD = """
@T.prim_func
def add(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + T.float32(1)
"""


def write(folder: Path, text: str) -> str:
    path = folder / "kernel.py"
    path.write_text(text)
    return str(path)


def test_text_is_run_without_being_executed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", write(tmp_path, ADD)]) == 0
    out = capsys.readouterr().out
    assert "def add(A: T.Buffer((16,), " in out
    assert "16 *2" in out
    assert "interpreter" in out


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_reference_of_the_file_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    head = "from tvmscript import T\n"
    right = head + ADD + "def reference(A, B):\n    B[:] = A + 1\n"
    wrong = head + ADD + "def reference_add(A, B):\n    B[:] = A + 2\n"
    assert main(["run", write(tmp_path, right), "--no-script", "--target", target]) == 0
    assert "reference" in capsys.readouterr().out
    assert main(["run", write(tmp_path, wrong), "--no-script", "--target", target]) == 1
    assert "error[TS7021]: add is WRONG: the reference returns another result" in capsys.readouterr().err


def test_symbolic_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
@T.prim_func
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 3), "int32")
    for i in range(n):
        A[i, 0] = i
"""
    assert main(["run", write(tmp_path, text), "--no-script", "--dim", "n=5"]) == 0
    assert "5x3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    B[0] = 1\n", "TS20", ":3:"),
        ("from tvmscript import T\ndef reference(): 1\n", "TS7010", ""),
    ],
)
def test_errors_point_at_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: str, line: str
) -> None:
    path = write(tmp_path, text)
    assert main(["run", path]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"error[{code}")
    assert f"{path}{line}" in err


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path / "nope.py")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dim", "n=x"], "error[TS7020]: --dim takes NAME=NUMBER, but got 'n=x'"),
        (["--target", "nope"], "error[TS7012]: --target: there is no backend for the target 'nope'"),
    ],
)
def test_wrong_options(tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str) -> None:
    assert main(["run", write(tmp_path, ADD), *options]) == 2
    assert message in capsys.readouterr().err


def test_file_that_fails_to_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "from tvmscript import T\nimport no_such_module\ndef reference(): ...\n"
    assert main(["run", write(tmp_path, text)]) == 2
    assert "kernel.py cannot be used: No module named 'no_such_module'" in capsys.readouterr().err


def test_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kernel.py"
    path.write_bytes(b"\xff\xfe\x00")
    assert main(["run", str(path)]) == 2
    assert "error[TS7011]: " in capsys.readouterr().err


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = as_json(capsys, "run", write(tmp_path, ADD))
    (function,) = document["functions"]
    assert (function["name"], function["operations"], function["checked_by"]) == ("add", 16, "interpreter")
    assert function["max_error"] <= function["tolerance"]
    assert 0 < function["run_seconds"] < function["compile_seconds"]


def test_json_of_a_wrong_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "from tvmscript import T\n" + ADD + "def reference_add(A, B):\n    B[:] = A + 2\n"
    document = as_json(capsys, "run", write(tmp_path, text))
    assert [each["code"] for each in document["findings"]] == ["TS7021"]
    assert document["exit_code"] == 1


def test_models_of_other_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error names what writes a model that is read."""
    for suffix, words in ((".pt", "torch.export.save"), (".keras", "tf2onnx")):
        path = tmp_path / f"m{suffix}"
        path.write_bytes(b"PK\x03\xff")
        assert main(["run", str(path)]) == 2
        assert words in capsys.readouterr().err
