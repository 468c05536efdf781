"""Names that only TVM has may be imported; an error names what they are part of where they are used."""

from __future__ import annotations

import pytest

import tvmscript

TEXT = """from tvm.script import tir as T
from tvm.arith import Analyzer as run

@T.prim_func
def f(n: T.int32):
    {}
"""


@pytest.mark.parametrize("line", ["run(1)", "T.evaluate(run())", "T.evaluate(run(n, x=2) + 1)"])
def test_calls(line: str) -> None:
    with pytest.raises(tvmscript.DiagnosticError, match=r"tvm\.arith\.Analyzer is part of TVM's Python API") as caught:
        tvmscript.from_source(TEXT.format(line))
    assert caught.value.code == "TS2040"


def test_imports_alone() -> None:
    assert "T.evaluate(n)" in tvmscript.from_source(TEXT.format("T.evaluate(n)")).script()
