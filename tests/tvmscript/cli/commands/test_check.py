"""`tvmscript check`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.cli.samples import BROKEN, NORMAL, PYTHON, as_json, write
from tvmscript.cli import main
from tvmscript.ir.analysis.errors import AccessOutOfBounds
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.testing import round_trip

Captured = pytest.CaptureFixture[str]


def test_fine(tmp_path: Path, capsys: Captured) -> None:
    assert main(["check", write(tmp_path, NORMAL)]) == 0
    assert capsys.readouterr() == ("1 file, 1 program, 0 errors\n", "")


def test_all_errors_of_all_files(tmp_path: Path, capsys: Captured) -> None:
    first, second = write(tmp_path, BROKEN, "a.py"), write(tmp_path, BROKEN, "b.tvms")
    assert main(["check", first, second]) == 1
    out, err = capsys.readouterr()
    assert out == "2 files, 0 programs, 4 errors\n"
    for path in (first, second):
        assert f"error[TS2003]: B is not defined\n --> {path}:3:5\n" in err
        assert f"error[TS2004]: the buffer A has no foo\n --> {path}:5:16\n" in err


def test_well_formedness(tmp_path: Path, capsys: Captured) -> None:
    text = NORMAL.replace("range(4)", "range(n)").replace("    for", "    n = T.int32()\n    for")
    assert main(["check", write(tmp_path, text)]) == 1
    assert "error[TS1101]: the variable n is used where it is not defined" in capsys.readouterr().err


def test_folders(tmp_path: Path, capsys: Captured) -> None:
    """Other files of a folder are skipped without a word, hidden folders too."""
    write(tmp_path, NORMAL, "b.tvms")
    write(tmp_path / "inner", BROKEN, "a.py")
    write(tmp_path, "print('hello')\n", "c.py")
    write(tmp_path, "from other import T\n@T.prim_func\ndef f(): ...\n", "d.py")
    write(tmp_path, "def broken(:\n", "e.py")
    write(tmp_path, BROKEN, "f.txt")
    write(tmp_path / ".hidden", BROKEN, "g.py")
    write(tmp_path / "__pycache__", BROKEN, "h.py")
    document = as_json(capsys, "check", str(tmp_path))
    assert [each["file"] for each in document["files"]] == [str(tmp_path / "b.tvms"), str(tmp_path / "inner" / "a.py")]
    assert document["exit_code"] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("print('hello')\n", "TS2005"),
        ("", "TS2002"),
        ("import tvm\n", "TS7010"),
        ("def broken(:\n", "TS2001"),
        ("\0", "TS2001"),
    ],
)
def test_named_files_must_have_programs(tmp_path: Path, capsys: Captured, text: str, code: str) -> None:
    document = as_json(capsys, "check", write(tmp_path, text))
    assert [each["code"] for each in document["findings"]] == [code]
    assert document["exit_code"] == 1


def test_python_file(tmp_path: Path, capsys: Captured) -> None:
    """What needs Python is a note; everything else is checked, where it stands."""
    path = write(tmp_path, PYTHON)
    assert main(["check", path]) == 0
    out, err = capsys.readouterr()
    assert out == "1 file, 4 programs, 0 errors, 1 definition not checked\n"
    assert f"note[TS7014]: uses_python is not checked: it captures the Python names np\n  --> {path}:36:1" in err
    assert main(["check", write(tmp_path, PYTHON.replace("B[0,1]", "C[0,1]"))]) == 1
    assert f"error[TS2003]: C is not defined\n  --> {path}:27:19" in capsys.readouterr().err


def test_functions_of_graphs_in_a_python_file(tmp_path: Path, capsys: Captured) -> None:
    text = """from tvmscript import R

@R.function
def fine(x: R.Tensor((4,), "float32")):
    return R.exp(x)

@R.function
def wrong(x: R.Tensor((4,), "float32")):
    return R.exp(y)
"""
    (tmp_path / "model.py").write_text(text)
    assert main(["check", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out == "1 file, 1 program, 1 error\n"
    assert "error[TS2003]: y is not defined" in err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    assert main(["check", "-"]) == 1
    assert " --> <stdin>:3:5" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b"# coding: nope\n", b"# coding: ascii\n'\xe9'\n"])
def test_trouble(tmp_path: Path, capsys: Captured, content: bytes | None) -> None:
    path = tmp_path / "kernel.py"
    if content is not None:
        path.write_bytes(content)
    good = write(tmp_path, NORMAL, "good.py")
    document = as_json(capsys, "check", str(path), good)
    assert document["exit_code"] == 2
    assert [(each["code"], each["file"]) for each in document["findings"]] == [("TS7011", str(path))]
    assert document["files"] == [{"file": good, "programs": ["f"]}], "the other files are checked nevertheless"


def test_encoding_of_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_bytes(b"# coding: latin-1\nfrom tvm.script import tir as T\n# \xe9\n" + NORMAL.encode())
    assert main(["check", str(path)]) == 0


def test_json(tmp_path: Path, capsys: Captured) -> None:
    """The form of a finding, as the documentation promises it."""
    path = write(tmp_path, "@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = T.flaot32(1)\n")
    document = as_json(capsys, "check", path)
    assert document["findings"] == [
        {
            "severity": "error",
            "code": "TS2004",
            "message": "T has no flaot32",
            "file": path,
            "line": 3,
            "column": 12,
            "end_line": 3,
            "end_column": 21,
            "hint": "did you mean T.float32?",
            "notes": [],
        }
    ]


def test_notes_of_errors_have_places(tmp_path: Path, capsys: Captured) -> None:
    text = "@T.prim_func\ndef f(n: T.int32):\n    with T.let(x, n):\n        T.evaluate(x)\n"
    text = text.replace("with T.let(x, n)", "with T.block('b')") + "    T.evaluate(v)\n"
    text = text.replace("T.evaluate(x)", "v = T.axis.spatial(4, n)\n        T.evaluate(v)")
    document = as_json(capsys, "check", write(tmp_path, text))
    (finding,) = document["findings"]
    assert finding["notes"] == [] or finding["notes"][0]["line"] is not None


@pytest.mark.usefixtures("unobserved")
def test_round_trips(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, NORMAL)
    assert main(["check", "--roundtrip", path]) == 0

    def refuse(*_: object, **__: object) -> None:
        raise TVMScriptError(text="no")

    monkeypatch.setattr(round_trip, "from_source", refuse)
    capsys.readouterr()
    document = as_json(capsys, "check", "--roundtrip", path)
    assert [(each["code"], each["line"]) for each in document["findings"]] == [("TS8002", 4)]


_LEAVES = """@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
    for i in T.parallel(16):
        B[i // 2] = A[i + 1]
    for i in range(n):
        B[i] = 0.0
"""


def test_bounds(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, _LEAVES)
    assert main(["check", path, "--bounds"]) == 1
    out, err = capsys.readouterr()
    assert out == "1 file, 1 program, 1 error\nbounds: 1 proven, 1 cannot tell, 1 wrong\n"
    assert (
        "error[TS4091]: buffer A of shape (16) has no element at index i + 1 of dimension 0: for i = 15 it is 16, "
        f"and the extent is 16\n --> {path}:4:21\n" in err
    )
    assert "note[TS4096]: cannot tell whether buffer B of shape (16) has an element at index i of dimension 0" in err


def test_races(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, _LEAVES)
    document = as_json(capsys, "check", "--race", path)
    assert document["exit_code"] == 1
    assert document["race"] == {"proven": 0, "cannot tell": 0, "wrong": 1}
    (finding,) = [finding for finding in document["findings"] if "race" in finding["message"]]
    assert (finding["code"], finding["line"]) == ("TS4095", 4)
    assert finding["message"] == (
        "iterations of the parallel loop i race: B[i // 2] is written for i = 0 and written for i = 1"
    )


def test_nothing_wrong(tmp_path: Path, capsys: Captured) -> None:
    """What is not known is a note: the exit code does not change."""
    text = _LEAVES.replace("i // 2", "i").replace("i + 1", "15 - i")
    assert main(["check", "--bounds", "--race", write(tmp_path, text)]) == 0
    out, _ = capsys.readouterr()
    assert out.splitlines()[1:] == [
        "bounds: 2 proven, 1 cannot tell, 0 wrong",
        "races: 1 proven, 0 cannot tell, 0 wrong",
    ]


@pytest.mark.parametrize("index", ["-1", "16", "i + 1", "i - 1"])
def test_accesses_that_are_proven_out_of_bounds(index: str, tmp_path: Path, capsys: Captured) -> None:
    """They are errors without an option, as `build` has them; those that may be are not."""
    text = f"""@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        A[{index}] = T.float32(1)
    A[n] = T.float32(1)
"""
    assert main(["check", write(tmp_path, text)]) == 1
    out, err = capsys.readouterr()
    assert out == "1 file, 1 program, 1 error\n"
    assert "TS4091" in err
    assert ":4:" in err
    with pytest.raises(AccessOutOfBounds):
        tvmscript.build(tvmscript.from_source(text))
    assert tvmscript.from_source(tvmscript.from_source(text).script())
