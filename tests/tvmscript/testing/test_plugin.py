"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

TESTS = """
import sys
import tvmscript
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.transform import get_pass

TEXT = "@T.prim_func\\ndef f(A: T.Buffer((4,), 'int32')):\\n    A[0] = A[0] + 0\\n"

def test_light():
    assert "numpy" not in sys.modules and "llvmlite" not in sys.modules

def test_fixture(roundtrip):
    roundtrip(tvmscript.from_source(TEXT))

def test_pass():
    func = tvmscript.from_source(TEXT).replace(attrs={"odd": Node()})
    get_pass("tir.Simplify")(func)

def test_parsed(monkeypatch):
    monkeypatch.setattr(PrimFunc, "script", lambda self, **options: "no text")
    tvmscript.from_source(TEXT)
"""


def run(folder: Path, *options: str) -> str:
    (folder / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder).stdout


@pytest.fixture(autouse=True)
def installed() -> None:
    names = [entry.value for entry in importlib.metadata.entry_points(group="pytest11")]
    if "tvmscript.testing.plugin" not in names:
        pytest.skip("the package is not installed, so that pytest does not know the plugin")


def test_without_the_option_nothing_is_checked(tmp_path: Path) -> None:
    assert "4 passed" in run(tmp_path)


def test_with_the_option_programs_and_passes_are_checked(tmp_path: Path) -> None:
    out = run(tmp_path, "--tvmscript-roundtrip")
    assert "2 failed, 2 passed" in out
    assert "TS8001]: what the pass tir.Simplify made cannot be printed" in out
    assert "TS8002]: the program that was read does not read back" in out


def test_the_option_is_documented() -> None:
    command = [sys.executable, "-m", "pytest", "--help"]
    assert "--tvmscript-roundtrip" in subprocess.run(command, capture_output=True, text=True, check=False).stdout


ORACLES = """
import pytest
import tvmscript
from tvmscript.ir.transform.functions.apply import Apply
from tvmscript.testing import oracles
from tvmscript.transform import get_pass

TEXT = "@T.prim_func\\ndef main(A: T.Buffer((4,), 'int32')):\\n    A[0] = A[0] + 0\\n"
PROGRAM = tvmscript.IRModule({"main": tvmscript.from_source(TEXT)})
SIMPLIFY = get_pass("tir.Simplify")
ARGUMENTS = {
    "same_values": (PROGRAM, SIMPLIFY(PROGRAM)),
    "pass_keeps": (SIMPLIFY, PROGRAM),
    "idempotent": (SIMPLIFY, PROGRAM),
    "commute": (SIMPLIFY, get_pass("tir.SkipAssert"), PROGRAM),
    "input_unchanged": (SIMPLIFY, PROGRAM),
    "steps_keep": (lambda schedule: None, PROGRAM),
}

@pytest.mark.parametrize("name", oracles.ORACLES)
def test_oracle(name, request):
    request.getfixturevalue(name)(*ARGUMENTS.get(name, (PROGRAM,)))

def test_seed(same_values):
    assert same_values.keywords == {"seed": 7}

def test_wrong_pass():
    Apply(lambda func: tvmscript.from_source(TEXT.replace("+ 0", "+ 1")))(PROGRAM)
"""


def test_oracles_are_fixtures(tmp_path: Path) -> None:
    (tmp_path / "test_oracles.py").write_text(ORACLES)
    out = run(tmp_path, "--tvmscript-seed", "7", "-k", "oracle and not wrong")
    assert "failed" not in out
    assert "12 passed" in out or "11 passed, 1 skipped" in out


def test_checks_of_passes(tmp_path: Path) -> None:
    (tmp_path / "test_oracles.py").write_text(ORACLES)
    out = run(tmp_path, "--tvmscript-verify", "wellformed, values", "-k", "wrong_pass")
    assert "1 failed" in out
    assert "TS8012]: after the pass tir.Apply, main computes other values" in out
