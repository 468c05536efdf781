"""Macros: functions, methods of instances, calls by Python code that a kernel calls."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript import T
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.parser.names.namespace import OutsideOfKernel
from tvmscript.parser.python.macro import Macro


class Scaling:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    @T.macro
    def store(self: Any, B: Any, A: Any, i: Any) -> None:
        B[i] = A[i] * T.float32(self.factor)


@T.macro
def copy(B: Any, A: Any, i: Any) -> None:
    B[i] = A[i]


def repeat(B: Any, A: Any) -> None:
    """Called by a kernel."""
    for i in range(2):
        copy(B, A, i)


def expected(*values: str) -> Any:
    lines = "".join(f"    B[{place}] = {value}\n" for place, value in enumerate(values))
    head = '@T.prim_func\ndef main(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):\n'
    return tvmscript.from_source(head + lines)


def test_methods() -> None:
    two, three = Scaling(2), Scaling(3)
    assert isinstance(Scaling.store, Macro)

    @T.prim_func
    def main(A: T.Buffer[(2,), "float32"], B: T.Buffer[(2,), "float32"]) -> None:
        two.store(B, A, 0)
        three.store(B, A, 1)

    assert_structural_equal(main, expected("A[0] * T.float32(2)", "A[1] * T.float32(3)"))


def test_calls_from_python() -> None:
    @T.prim_func
    def main(A: T.Buffer[(2,), "float32"], B: T.Buffer[(2,), "float32"]) -> None:
        repeat(B, A)

    assert_structural_equal(main, expected("A[0]", "A[1]"))
    with pytest.raises(OutsideOfKernel, match="copy"):
        repeat(None, None)
