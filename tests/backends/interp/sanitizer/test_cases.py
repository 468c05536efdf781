"""Case files: kernels with faults, and kernels without.

`# finds: CODE LINE` names what the sanitizer finds in a line of the kernel; `# finds nothing` is a control. Kernels run
as they are written: no pass adds barriers. What is to be found was written down by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tvmscript
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.tir import PrimFunc

_FOLDER = Path(__file__).parents[3] / "cases" / "sanitizer"
_CASES = sorted(_FOLDER.glob("*.py"))
_MARK = "# finds: "


def _found(error: TVMScriptError) -> tuple[str | None, str]:
    assert error.span is not None
    return error.code, error.span.source.text.splitlines()[error.span.line - 1].strip()


@pytest.mark.parametrize("path", _CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    text = path.read_text()
    expected = {tuple(line.removeprefix(_MARK).split(" ", 1)) for line in text.splitlines() if line.startswith(_MARK)}
    assert expected or "# finds nothing" in text
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    args = [argument.value for argument in random_inputs(func)]
    report = run_sanitized(IRModule({"main": func}), "main", args)
    assert {_found(error) for error in (*report.errors, *report.notes)} == expected
