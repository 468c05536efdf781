"""A share of the campaign, and what the independent evaluator refuses, computes and finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.campaign import area
from tests.campaign.python_code import NotInPython, PythonCode, Undefined
from tvmscript.fuzz.engine import fuzz
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Div, FloorDiv
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.transform.pipeline import lower_for_llvm

KERNEL = """
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    Y = T.alloc_buffer((4,), "int32")
    {}
"""


def _run(*lines: str) -> list[int]:
    values: list[Any] = [np.arange(4, dtype="int32") - 2, np.zeros(4, "int32")]
    PythonCode(tvmscript.from_source(KERNEL.format("\n    ".join(lines)))).run(values)
    result: list[int] = values[1].tolist()
    return result


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("A[i] // 3", [-1, -1, 0, 0]),
        ("A[i] % 3", [1, 2, 0, 1]),
        ("T.truncdiv(A[i], 2)", [-1, 0, 0, 0]),
        ("T.truncmod(A[i], 2)", [0, -1, 0, 1]),
        ("T.shift_left(A[i], 31)", [0, -(2**31), 0, -(2**31)]),
        ('T.Cast("int32", T.Cast("uint8", A[i]))', [254, 255, 0, 1]),
        ('T.Cast("int32", T.Cast("float32", A[i]) * T.float32(1.5))', [-3, -1, 0, 1]),
        ("T.if_then_else(i < 3, A[i + 1], 7)", [-1, 0, 1, 7]),
        ("T.Let(x * x, where={x: A[i]})", [4, 1, 0, 1]),
    ],
)
def test_values(value: str, expected: list[int]) -> None:
    assert _run("x = T.int32()", "for i in range(4):", f"    B[i] = {value}") == expected


def test_blocks() -> None:
    lines = ["for i, k in T.grid(4, 3):", '    with T.block("B"):', '        vi, vk = T.axis.remap("SR", [i, k])']
    lines += ["        with T.init():", "            B[vi] = 10", "        B[vi] = B[vi] + A[vk]"]
    assert _run(*lines) == [7, 7, 7, 7]


@pytest.mark.parametrize("line", ["B[0] = Y[0]", "B[0] = A[4]", "B[0] = 1 // A[2]", 'assert A[0] == 0, "no"'])
def test_undefined(line: str) -> None:
    with pytest.raises(Undefined):
        _run(line)


def test_not_in_python() -> None:
    with pytest.raises(NotInPython, match="call_extern"):
        _run('T.call_extern("int32", "abs", A[0])')


@pytest.mark.long
def test_nothing_differs() -> None:
    area.COUNTS.clear()
    tally = fuzz([area.AREA], seed=3, examples=150)
    assert not tally.failures, tally.failures[0].script
    assert area.COUNTS["same by LLVM"] == area.COUNTS["same by the interpreter"]
    assert area.COUNTS["same by LLVM"] > 0.7 * area.COUNTS["programs"]
    assert min(area.COUNTS["scheduled"], area.COUNTS["lowered by passes"], area.COUNTS["steps"] // 2) > 30


class _Truncated(TirRewriter):
    @on(FloorDiv)
    def quotient(self, node: FloorDiv) -> Expr:
        return Div(self.rewrite(node.a), self.rewrite(node.b))


@pytest.mark.long
def test_wrong_code_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def lower(mod: IRModule) -> IRModule:
        func: Any = mod["main"]
        return lower_for_llvm(IRModule({"main": func.with_body(_Truncated().rewrite(func.body))}))

    monkeypatch.setattr(area, "lower_for_llvm", lower)
    tally = fuzz([area.AREA], seed=4, examples=300, ends_at_first=True)
    assert "computes something else than Python" in tally.failures[0].report
