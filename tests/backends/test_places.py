"""Errors of a run point at the program's text, in the interpreter and in compiled code alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.errors import ExecutionError

TEXT = """@T.prim_func
def check(A: T.Buffer((8,), "float32"), n: T.int32):
    for i in range(8):
        assert i + n > 3, "n must be larger than 3"
        A[i] = T.float32(n)
"""


@pytest.mark.parametrize("target", ["llvm", "interp"])
@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ((np.zeros(8, "float32"), 2), (4, 9)),
        ((np.zeros(7, "float32"), 4), (2, 14)),
        ((np.zeros(8, "float64"), 4), (2, 14)),
        ((np.zeros((2, 4), "float32"), 4), (2, 14)),
        ((np.zeros(8, "float32"), 2.5), (2, 44)),
        ((None, 4), (2, 14)),
    ],
)
def test_line_and_column(target: str, arguments: tuple[Any, ...], place: tuple[int, int]) -> None:
    built = tvmscript.build(tvmscript.from_source(TEXT), target=target)
    with pytest.raises(ExecutionError) as caught:
        built["check"](*arguments)
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("target", ["llvm", "interp"])
@pytest.mark.parametrize(
    ("argument", "hint"),
    [
        (np.zeros(8), '.astype("float32")'),
        (np.zeros((8, 2), "float32")[:, 0], "numpy.ascontiguousarray"),
        ([1.0] * 8, "numpy.array"),
        (np.broadcast_to(np.float32(1), (8,)).copy().view(), None),
    ],
)
def test_hints_of_arrays(target: str, argument: Any, hint: str | None) -> None:
    """What the hint proposes makes an argument that is taken."""
    built = tvmscript.build(tvmscript.from_source(TEXT), target=target)
    if hint is None:
        argument.flags.writeable = False
        hint = ".copy()"
    with pytest.raises(ExecutionError) as caught:
        built["check"](argument, 4)
    assert caught.value.hint is not None
    assert hint in caught.value.hint
    copied = np.ascontiguousarray(np.array(argument).astype("float32"))
    built["check"](copied, 4)
    np.testing.assert_array_equal(copied, np.full(8, 4, "float32"))


def test_assertions_that_say_the_same_are_not_told_apart() -> None:
    text = TEXT.replace("        A[i] =", '        assert n < 9, "n must be larger than 3"\n        A[i] =')
    built = tvmscript.build(tvmscript.from_source(text))
    with pytest.raises(ExecutionError, match="n must be larger than 3") as caught:
        built["check"](np.zeros(8, "float32"), 2)
    assert caught.value.span is None


def test_elements_of_128_bits() -> None:
    """TVM 0.27 moves them between registers of a GPU: values are computed, and memory of them is refused by name."""
    head = '@T.prim_func\ndef f(A: T.Buffer((2,), "{}")):\n'
    text = head + '    A[0] = T.Cast("{}", T.Cast("uint128", A[1]) * T.uint128(3))\n'
    for target in ("interp", "llvm"):
        values = np.array([0, 7], "uint64")
        tvmscript.build(tvmscript.from_source(text.format("uint64", "uint64")), target=target)["f"](values)
        assert values.tolist() == [21, 7]
        with pytest.raises(tvmscript.TVMScriptError, match=r"uint128|128 bits"):
            tvmscript.build(tvmscript.from_source(text.format("uint128", "uint128")), target=target)["f"](values)
