"""`and` and `or`: where the first operand decides, the second one is evaluated if that cannot fault."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.llvm.kernels import Array
from tvmscript import te, topi
from tvmscript.fuzz.guard_pages import guarded

PROGRAM = """
@T.prim_func
def f(A: T.Buffer((64,), "int8"), B: T.Buffer((64,), "int8"), C: T.Buffer(({size},), "bool")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in range({size}):
        C[i] = {condition}
"""


def _branches(condition: str, size: int) -> bool:
    text = PROGRAM.format(condition=condition, size=size)
    source: str = tvmscript.build(tvmscript.from_source(text), "llvm -mcpu=haswell").get_source("input")
    return "more" in source


@pytest.mark.parametrize(
    ("condition", "size", "branches"),
    [
        ("A[i] > T.int8(0) and B[i] > T.int8(0)", 64, False),
        ("A[i] > T.int8(0) or B[63 - i] > T.int8(0)", 64, False),
        ("i < 64 and B[i] > T.int8(0)", 65, True),
        ("i > 0 and B[i - 1] > T.int8(0)", 64, True),
        ("A[i] > T.int8(0) and B[T.Cast('int32', A[i])] > T.int8(0)", 64, True),
        ("A[i] > T.int8(0) and T.call_extern('int32', 'abs', 1) > 0", 64, True),
    ],
)
def test_only_reads_that_may_fault_are_branches(condition: str, size: int, branches: bool) -> None:
    assert _branches(condition, size) is branches


@pytest.mark.parametrize("is_behind", [True, False])
def test_no_read_outside_of_an_array(is_behind: bool) -> None:
    text = PROGRAM.format(condition="(i < 64 and B[i] > T.int8(0)) or (i >= 65 and A[i - 65] > T.int8(0))", size=129)
    a, b = (guarded(np.arange(64, dtype="int8") % 3, is_behind=is_behind) for _ in range(2))
    c = np.zeros(129, bool)
    tvmscript.build(tvmscript.from_source(text))["f"](a, b, c)
    np.testing.assert_array_equal(c, [*(b > 0), False, *(a > 0)])


def test_a_view_may_be_larger_than_the_memory() -> None:
    text = """
@T.prim_func
def f(A: T.Buffer((8,), "int8"), C: T.Buffer((16,), "bool")):
    B = T.Buffer((16,), "int8", data=A.data)
    for i in range(16):
        C[i] = i < 8 and B[i] > T.int8(0)
"""
    a, c = guarded(np.array([0, 1] * 4, "int8"), is_behind=True), np.ones(16, bool)
    tvmscript.build(tvmscript.from_source(text))["f"](a, c)
    np.testing.assert_array_equal(c, [*(a > 0), *[False] * 8])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(("operator", "expected"), [(topi.all, np.all), (topi.any, np.any)])
def test_reductions_of_bool_have_no_branches(operator: Any, expected: Any, axis: int) -> None:
    x = te.placeholder((7, 300), "bool")
    built = tvmscript.build(te.create_prim_func([x, operator(x, axis)]))
    numbers: Array = np.random.default_rng(0).random((7, 300)) < (0.9 if operator is topi.all else 0.1)
    results = np.zeros(numbers.shape[1 - axis], bool)
    built["main"](numbers, results)
    np.testing.assert_array_equal(results, expected(numbers, axis))
    assert "more" not in built.get_source("input")
