"""Macros: functions, methods of instances, calls by Python code that a kernel calls."""

from __future__ import annotations

from typing import Any

import pytest

from tvmscript import T, from_source
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.parser.names.namespace import OutsideOfKernel
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.source.lookup import register_source


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


HEAD = '@T.prim_func\ndef main(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):\n'


def read(*lines: str) -> Any:
    """Return the function of a text that Python executes."""
    text = HEAD + "".join(f"    {line}\n" for line in lines)
    names: dict[str, Any] = {"T": T, "two": Scaling(2), "three": Scaling(3), "repeat": repeat}
    exec(compile(text, register_source(text), "exec"), names)
    return names["main"]


def test_methods() -> None:
    assert isinstance(Scaling.store, Macro)
    expected = read("B[0] = A[0] * T.float32(2)", "B[1] = A[1] * T.float32(3)")
    assert_structural_equal(read("two.store(B, A, 0)", "three.store(B, A, 1)"), expected)


def test_calls_from_python() -> None:
    assert_structural_equal(read("repeat(B, A)"), read("B[0] = A[0]", "B[1] = A[1]"))
    with pytest.raises(OutsideOfKernel, match="copy"):
        repeat(None, None)


FILL = """
@T.macro(hygienic=False)
def fill(i, value):
    B[i] = value

@T.prim_func
def main(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
    for value in range(2):
        {store}
        A[value] = T.float32(1)
"""


def test_parameters_end_with_the_macro() -> None:
    """A name of the kernel that a parameter hides is visible again behind the call."""
    called, written = (
        from_source(FILL.format(store=each)) for each in ("fill(0, T.float32(7))", "B[0] = T.float32(7)")
    )
    assert_structural_equal(called, written)
