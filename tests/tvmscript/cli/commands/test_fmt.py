"""`tvmscript fmt`: definitions change, nothing else does."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.cli.samples import BROKEN, NORMAL, PYTHON, PYTHON_FORMATTED, SLOPPY, as_json, write
from tvmscript.cli import main
from tvmscript.cli.files import read_file
from tvmscript.cli.read_files import read
from tvmscript.cli.rewrite_definitions import rewrite
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.parser import python_file

Captured = pytest.CaptureFixture[str]
_ROOT = Path(__file__).parents[4]


def test_in_place(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, SLOPPY)
    assert main(["fmt", path]) == 0
    assert Path(path).read_text() == NORMAL
    assert capsys.readouterr().out == "1 file reformatted, 0 files left unchanged\n"
    before = os.stat(path).st_mtime_ns, os.stat(path).st_ino
    assert main(["fmt", path]) == 0
    assert capsys.readouterr().out == "0 files reformatted, 1 file left unchanged\n"
    assert (os.stat(path).st_mtime_ns, os.stat(path).st_ino) == before, "a file in normal form is not written"


def test_check_and_diff_write_nothing(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, SLOPPY)
    assert main(["fmt", "--check", path]) == 1
    assert "error[TS7015]: " in capsys.readouterr().err
    assert main(["fmt", "--diff", path]) == 0
    out = capsys.readouterr().out
    assert "-      A[i]=A[i]*2.0\n" in out
    assert "+        A[i] = A[i] * T.float32(2)\n" in out
    assert main(["fmt", "--diff", "--check", path]) == 1
    assert Path(path).read_text() == SLOPPY
    assert main(["fmt", "--check", write(tmp_path, NORMAL)]) == 0


@pytest.mark.parametrize(
    ("newline", "encoding"),
    [("\n", "utf-8"), ("\r\n", "utf-8"), ("\r", "utf-8"), ("\n", "utf-8-sig"), ("\r\n", "latin-1")],
)
def test_python_file(tmp_path: Path, capsys: Captured, newline: str, encoding: str) -> None:
    """Comments, other code, line ends, encoding, indentation stay, byte for byte."""
    head = "# coding: latin-1\n" if encoding == "latin-1" else ""
    path = tmp_path / "kernels.py"
    path.write_bytes((head + PYTHON).replace("\n", newline).encode(encoding))
    assert main(["fmt", str(path)]) == 0
    assert path.read_bytes() == (head + PYTHON_FORMATTED).replace("\n", newline).encode(encoding)
    err = capsys.readouterr().err
    assert "note[TS7013]: uses_constant is not rewritten: it captures N" in err
    assert "note[TS7013]: uses_python is not rewritten: it captures np" in err
    assert main(["fmt", "--check", str(path)]) == 0


def test_last_line_without_an_end(tmp_path: Path) -> None:
    path = write(tmp_path, SLOPPY.rstrip("\n"))
    assert main(["fmt", path]) == 0
    assert Path(path).read_text() == NORMAL.rstrip("\n")


@pytest.mark.parametrize("path", sorted(_ROOT.glob("examples/*.py")) + sorted(_ROOT.glob("tests/cases/seeds/*.py")),
                         ids=lambda path: path.stem)  # fmt: skip
def test_formatting_twice_is_formatting_once(path: Path, tmp_path: Path) -> None:
    once = rewrite(read(read_file(path)))  # type: ignore[arg-type]  # the file is there
    assert once.left == []
    copy = write(tmp_path, once.text)
    again = read(read_file(Path(copy)))  # type: ignore[arg-type]
    assert rewrite(again).text == once.text
    before = read(read_file(path))  # type: ignore[arg-type]
    for one, other in zip(before.programs.values(), again.programs.values(), strict=True):
        assert_structural_equal(one, other)


@pytest.mark.parametrize("room", ["printer/ours", "transform/make_packed_api"])
def test_formatting_files_with_memory_twice(room: str, tmp_path: Path) -> None:
    for path in sorted((_ROOT / "tests" / "cases" / room).glob("*.py")):
        copy = write(tmp_path, path.read_text(encoding="utf-8"))
        main(["fmt", copy])
        once = Path(copy).read_text(encoding="utf-8")
        main(["fmt", copy])
        assert Path(copy).read_text(encoding="utf-8") == once, path.name


def test_files_with_errors_are_left(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, BROKEN)
    document = as_json(capsys, "fmt", path)
    assert document["files"] == [{"file": path, "changed": False, "left": ["f"]}]
    assert [each["code"] for each in document["findings"]] == ["TS2003", "TS2004"]
    assert Path(path).read_text() == BROKEN


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    for text in (SLOPPY, NORMAL):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main(["fmt", "-"]) == 0
        assert capsys.readouterr().out == NORMAL


def test_comments_of_decorators_stay(tmp_path: Path) -> None:
    text = NORMAL.replace("@T.prim_func\n", "@T.prim_func  # decorator\n# between\n")
    path = write(tmp_path, text)
    assert main(["fmt", path]) == 0
    assert Path(path).read_text() == text


def test_indentation(tmp_path: Path) -> None:
    path = write(tmp_path, SLOPPY)
    assert main(["fmt", "--indent", "2", path]) == 0
    assert Path(path).read_text().splitlines()[-1] == "    A[i] = A[i] * T.float32(2)"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("@T.prim_func", "M = 4\n@T.prim_func", "it captures M"),
        ("import tir as T", "import tir as T\nimport tvm", "its text needs Q, which the file does not import"),
    ],
)
def test_what_cannot_be_written_is_left(tmp_path: Path, capsys: Captured, old: str, new: str, reason: str) -> None:
    text = SLOPPY.replace(old, new).replace("Buffer(4", "Buffer(M" if "M = 4" in new else "Buffer(4")
    if "Q" in reason:
        text = "import tvm\n@tvm.T.prim_func\ndef f(A: tvm.T.Buffer(4, 'int8')):\n    A[0] = 1\n"
        reason = reason.replace("Q", "T")
    path = write(tmp_path, text)
    assert main(["fmt", path]) == 0
    assert f"f is not rewritten: {reason}" in capsys.readouterr().err
    assert Path(path).read_text() == text


def test_names_of_the_file_are_kept(tmp_path: Path) -> None:
    """Other names for T, the name of the definition, options of its decorator."""
    text = (
        "from tvmscript.script import ir as J, tir as K\n\n@K.prim_func(check_well_formed=False)\n"
        "def g(A:K.Buffer((4,),'float32')):\n    K.func_attr({'global_symbol': 'main'})\n    A[0]=1.0\n"
        "@J.ir_module\nclass Mine:\n  @K.prim_func\n  def h(x: K.int32): K.evaluate(x)\n"
    )
    path = write(tmp_path, text)
    assert main(["fmt", path]) == 0
    assert Path(path).read_text() == (
        "from tvmscript.script import ir as J, tir as K\n\n@K.prim_func(check_well_formed=False)\n"
        'def g(A: K.Buffer((4,), "float32")):\n    K.func_attr({"global_symbol": "main"})\n    A[0] = K.float32(1)\n'
        "@J.ir_module\nclass Mine:\n    @K.prim_func\n    def h(x: K.int32):\n        K.evaluate(x)\n"
    )


@pytest.mark.usefixtures("unobserved")
def test_a_text_that_would_not_read_back_is_never_written(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A printer that loses something: the check of the new file notices."""
    path = write(tmp_path, SLOPPY)
    script = tvmscript.PrimFunc.script
    monkeypatch.setattr("tvmscript.cli.rewrite_definitions.check_round_trip", lambda *_, **__: None)
    monkeypatch.setattr(
        tvmscript.PrimFunc, "script", lambda self, **options: script(self, **options).replace("(2)", "(3)")
    )
    assert main(["fmt", path]) == 0
    assert "the new text of the file reads back as something else" in capsys.readouterr().err
    assert Path(path).read_text() == SLOPPY


@pytest.mark.usefixtures("unobserved")
def test_a_program_that_does_not_read_back_is_left(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, SLOPPY)
    monkeypatch.setattr("tvmscript.testing.round_trip.first_difference", lambda *_, **__: None)
    monkeypatch.setattr("tvmscript.testing.round_trip.from_source", lambda *_, **__: python_file)
    monkeypatch.setattr("tvmscript.testing.round_trip._printed", lambda *_: "other")
    monkeypatch.setattr("tvmscript.testing.round_trip._names", lambda program: {"Var": id(program)})
    assert main(["fmt", path]) == 0
    assert "f is not rewritten: the program has" in capsys.readouterr().err


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path = Path(write(tmp_path, SLOPPY, "real.py"))
    path.chmod(0o754)
    link = tmp_path / "link.py"
    link.symlink_to("real.py")
    assert main(["fmt", str(link)]) == 0
    assert link.is_symlink()
    assert path.read_text() == NORMAL
    assert stat.S_IMODE(path.stat().st_mode) == 0o754
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, SLOPPY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["fmt", path]) == 2
    assert "kernel.py cannot be used: No space left on device" in capsys.readouterr().err
    assert Path(path).read_text() == SLOPPY
    assert [each.name for each in tmp_path.iterdir()] == ["kernel.py"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from tvmscript import R", "from tvmscript import R\nfrom tvmscript import T"),
        ("from tvm.script import relax as R", "from tvm.script import relax as R\nfrom tvm.script import tir as T"),
    ],
)
def test_sizes_of_graphs_import_what_declares_them(tmp_path: Path, old: str, new: str) -> None:
    text = f'"""A model."""\n{old}\n\n@R.function\ndef f(x: R.Tensor(("n",), "float32")):\n  return R.exp(x)\n'
    path = write(tmp_path, text)
    assert main(["fmt", path]) == 0
    made = Path(path).read_text()
    assert made.startswith(f'"""A model."""\n{new}\n\n@R.function\n')
    assert "\n    n = T.int64()\n" in made
    assert main(["fmt", "--check", path]) == 0
    assert main(["convert", "--to", "0.27", "-i", path]) == 0
    assert main(["convert", "--to", "0.17", "-i", path]) == 0
    assert main(["check", path]) == 0


def test_another_meaning_of_the_name_is_kept(tmp_path: Path, capsys: Captured) -> None:
    text = "from tvmscript import R\n\nT = 4\n\n@R.function\ndef f(x: R.Tensor(('n',), 'float32')): return R.exp(x)\n"
    path = write(tmp_path, text)
    assert main(["fmt", path]) == 0
    assert "its text needs T, which the file does not import" in capsys.readouterr().err
    assert Path(path).read_text() == text


def test_names_that_are_defined_twice(tmp_path: Path, capsys: Captured) -> None:
    """A text that defines a name again, which is refused as one program, is formatted definition by definition."""
    path = write(tmp_path, SLOPPY + "\n" + SLOPPY.replace("4", "8"))
    assert main(["fmt", path]) == 0
    assert Path(path).read_text() == NORMAL + "\n" + NORMAL.replace("4", "8")
    assert main(["fmt", "--check", path]) == 0
    capsys.readouterr()
    assert main(["convert", "--to", "0.27", path]) == 0
    assert capsys.readouterr().out.count("@T.prim_func(s_tir=True)\n") == 2
    assert main(["check", path]) == 1
    assert "error[TS2008]" in capsys.readouterr().err
