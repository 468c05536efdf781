"""Importing is cheap, and the bare names of the inner packages are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tvmscript

_ROOT = Path(__file__).parent.parent


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=_ROOT, check=False)


def test_import_loads_no_library() -> None:
    heavy = ("numpy", "llvmlite", "rich", "pygments", "tvm_ffi", "hypothesis", "cuda")
    done = run(f"import sys, tvmscript; print([m for m in {heavy!r} if m in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr


def test_reading_and_printing_load_no_library() -> None:
    text = "@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = T.exp(A[1])\n"
    code = f"import sys, tvmscript; tvmscript.from_source({text!r}).script(); print('numpy' in sys.modules)"
    assert run(code).stdout.strip() == "False"


@pytest.mark.parametrize("name", ["ir", "backends"])
def test_bare_names_are_refused(name: str) -> None:
    done = run(f"import {name}")
    assert done.returncode == 1
    assert f"import this package as tvmscript.{name}" in done.stderr


def test_public_names_are_there() -> None:
    for name in dir(tvmscript):
        assert getattr(tvmscript, name) is not None or name.startswith("__")


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        tvmscript.nope  # noqa: B018 -- reading it is the test
