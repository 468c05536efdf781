"""Programs in the style of TVM's own unit tests pass under `python -m tvmscript.as_tvm -m pytest`, unchanged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1]
pytestmark = pytest.mark.long
PROGRAMS = sorted((_TESTS / "cases" / "tvm_programs").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_all_checks_pass(path: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-n0", "-o", "addopts=", "-o", "filterwarnings="]
    done = subprocess.run(
        [sys.executable, "-m", "tvmscript.as_tvm", "-m", "pytest", str(path), *options, "--tb=line"],
        cwd=_TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    summary = re.search(r"(\d+) passed", done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert summary is not None
    assert int(summary[1]) >= path.read_text().count("\ndef test_")
