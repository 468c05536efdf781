"""`--import` makes the passes of a user's module known to `opt`, `bisect` and `fuzz`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tvmscript.cli import main
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.registry import get_pass
from tvmscript.ir.transform.user_passes import USER_PASSES, NoPasses, import_passes

PASSES = """
from dataclasses import replace

import tvmscript
from tvmscript import tir
from tvmscript.tir.stmt_functor import StmtExprMutator, on
from tvmscript.transform import module_pass


class Shortened(StmtExprMutator):
    @on(tir.For)
    def loop(self, node):
        return self.descend(node).replace(extent=tir.IntImm("int32", 1))


@tir.transform.prim_func_pass(opt_level=0, name="user.Shorten")
def shorten(func, mod, ctx):
    return func.with_body(Shortened().rewrite(func.body))


@tir.transform.prim_func_pass(opt_level=0, name="user.Mark")
def mark(func, mod, ctx):
    return func.with_attr("marked", 1)


@tir.transform.prim_func_pass(opt_level=0, name="user.Fail")
def fail(func, mod, ctx):
    raise ValueError("not today")


@module_pass(opt_level=0)
class Keep:
    def __init__(self, name):
        self.name = name

    def transform_module(self, mod, ctx):
        return tvmscript.IRModule({self.name: mod[self.name]})
"""
KERNEL = """@T.prim_func
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i] + T.float32(1)
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "passes_of_a_user.py").write_text(PASSES)
    (tmp_path / "kernel.py").write_text(KERNEL)
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "taken.py").write_text(PASSES.replace("user.Mark", "tir.Simplify"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in USER_PASSES:
        Pass.registry.pop(name)
    USER_PASSES.clear()
    sys.modules.pop("passes_of_a_user", None)


@pytest.mark.parametrize("source", ["passes_of_a_user", "passes_of_a_user.py"])
def test_opt(source: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "--import", source, "-p", "user.Mark,tir.Simplify,Keep(main)", "kernel.py:f"]) in (0, 1)
    assert main(["opt", "--import", source, "-p", "user.Mark,tir.Simplify", "kernel.py"]) == 0
    assert '"marked": 1' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "passes", "text"),
    [
        ("empty.py", "user.Mark", "no passes in empty.py"),
        ("nowhere_at_all", "user.Mark", "No module named 'nowhere_at_all'"),
        ("nowhere.py", "user.Mark", "nowhere.py"),
        ("taken.py", "user.Mark", "already a pass named tir.Simplify"),
        ("passes_of_a_user.py", "Keep", "missing a required argument: 'name'"),
        ("passes_of_a_user.py", "user.Mask", "did you mean user.Mark?"),
    ],
)
def test_mistakes(source: str, passes: str, text: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "--import", source, "-p", passes, "kernel.py"]) == 2
    assert text in capsys.readouterr().err


def test_passes_by_name_in_python(files: Path) -> None:
    assert import_passes("passes_of_a_user.py") == ["Keep", "user.Fail", "user.Mark", "user.Shorten"]
    assert get_pass("user.Mark").info.name == "user.Mark"
    with pytest.raises(NoPasses, match="none is defined"):
        import_passes("empty.py")


def test_bisect_names_the_pass(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--import", "passes_of_a_user", "-p", "user.Mark,user.Shorten,tir.Simplify", "kernel.py"]
    assert main(["bisect", *words]) == 1
    assert "the first step that is wrong: user.Shorten" in capsys.readouterr().err


def test_exceptions_name_the_pass(files: Path) -> None:
    with pytest.raises(ValueError, match="not today") as caught:
        main(["opt", "--import", "passes_of_a_user", "-p", "user.Mark,user.Fail", "kernel.py"])
    assert caught.value.__notes__ == ["raised in the pass user.Fail"]


def test_fuzz_writes_a_script_that_imports_the_pass(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hypothesis")
    words = ["--import", "passes_of_a_user", "--examples", "20", "--out", "found"]
    assert main(["fuzz", *words, "passes:user.Mark"]) == 0
    assert main(["fuzz", *words, "passes:user.Shorten"]) == 1
    assert "user.Shorten" in capsys.readouterr().err
    script, *_ = sorted((files / "found").iterdir())
    again = subprocess.run([sys.executable, script], cwd=files, capture_output=True, text=True, check=False,
                           env={"PYTHONPATH": f"{files}:{Path(__file__).parents[3]}"})  # fmt: skip
    assert "after the pass user.Shorten" in again.stderr


def test_fuzz_takes_the_passes_that_need_no_arguments(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hypothesis")
    assert main(["fuzz", "--import", "passes_of_a_user", "--examples", "20"]) == 1
    assert "passes:user.Fail,user.Mark,user.Shorten" in capsys.readouterr().err


def test_modules_are_executed_on_request_only(files: Path) -> None:
    (files / "passes_of_a_user.py").write_text(PASSES + "open('executed', 'w').close()\n")
    assert main(["opt", "-p", "tir.Simplify", "kernel.py"]) == 0
    assert not (files / "executed").exists()
    assert main(["opt", "--import", "passes_of_a_user", "-p", "tir.Simplify", "kernel.py"]) == 0
    assert (files / "executed").exists()
