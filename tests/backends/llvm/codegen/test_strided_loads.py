"""Loads of elements at small distances: the vectors around them are loaded, and nothing behind the last one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.llvm.kernels import build_text
from tvmscript.fuzz.guard_pages import guarded


def program(lanes: int, stride: int, dtype: str) -> str:
    count = (lanes - 1) * stride + 1
    return f"""
@T.prim_func
def main(A: T.Buffer(({count},), "{dtype}"), B: T.Buffer(({lanes},), "{dtype}")):
    for v in T.vectorized({lanes}):
        B[v] = A[v * {stride}]
"""


@pytest.mark.parametrize("target", ["llvm", "llvm -mcpu=x86-64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bool", "uint16"])
@pytest.mark.parametrize("stride", [2, 3, 4, 5])
def test_values_at_both_ends_of_a_page(stride: int, dtype: str, target: str) -> None:
    for lanes in (2, 3, 4, 7, 8, 16, 32):
        function = build_text(program(lanes, stride, dtype), target)
        values = np.random.default_rng(lanes).integers(0, 100, (lanes - 1) * stride + 1).astype(dtype)
        for is_behind in (False, True):
            result = np.zeros(lanes, dtype)
            function(guarded(values, is_behind=is_behind), result)
            np.testing.assert_array_equal(result, values[::stride])


@pytest.mark.parametrize(("cpu", "has_gathers"), [("x86-64", False), ("x86-64-v3", False), ("x86-64-v4", True)])
def test_which_loads_are_gathers(cpu: str, has_gathers: bool) -> None:
    gathers = [
        "@llvm.masked.gather" in build_text(program(8, stride, "float32"), f"llvm -mcpu={cpu}").get_source("input")
        for stride in range(1, 7)
    ]
    assert gathers == [False, False, False, False, has_gathers, has_gathers]


@pytest.mark.parametrize("target", ["llvm", "llvm -mcpu=x86-64"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bool"])
@pytest.mark.parametrize("stride", [2, 5, -3])
def test_stores_at_both_ends_of_a_page(stride: int, dtype: str, target: str) -> None:
    lanes = 8
    count, first = (lanes - 1) * abs(stride) + 1, max(-stride, 0) * (lanes - 1)
    function = build_text(
        f"""
@T.prim_func
def main(A: T.Buffer(({lanes},), "{dtype}"), B: T.Buffer(({count},), "{dtype}")):
    for v in T.vectorized({lanes}):
        B[v * {stride} + {first}] = A[v]
""",
        target,
    )
    values = np.random.default_rng(0).integers(0, 100, lanes).astype(dtype)
    for is_behind in (False, True):
        result = guarded(np.zeros(count, dtype), is_behind=is_behind)
        function(values, result)
        expected = np.zeros(count, dtype)
        expected[first + stride * np.arange(lanes)] = values
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("target", ["llvm", "llvm -mcpu=x86-64"])
@pytest.mark.parametrize("active", [0, 1, 5, 8, 9])
def test_first_lanes_at_both_ends_of_a_page(active: int, target: str) -> None:
    count = max(min(active, 8), 1)
    function = build_text(
        f"""
@T.prim_func
def main(A: T.Buffer(({7 * count - 6},), "int32"), B: T.Buffer(({5 * count - 4},), "int32")):
    for v in T.vectorized(8):
        if v + 2 < {active + 2}:
            B[v * 5] = A[v * 7]
""",
        target,
    )
    values, lanes = np.arange(7 * count - 6, dtype="int32") + 1, np.arange(min(active, 8))
    expected = np.zeros(5 * count - 4, "int32")
    expected[lanes * 5] = values[lanes * 7]
    for is_behind in (False, True):
        result = guarded(np.zeros_like(expected), is_behind=is_behind)
        function(guarded(values, is_behind=is_behind), result)
        np.testing.assert_array_equal(result, expected)
