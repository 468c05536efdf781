"""One array may be two buffers of a function that says nothing of overlaps."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript

HEAD = """
@T.prim_func
def main(A: T.Buffer(({n}, {m}), "float32"), B: T.Buffer(({n}, {m}), "float32"), C: T.Buffer(({n}, {m}), "float32")):
"""
ELEMENTWISE = """
    for i, j in T.grid({n}, {m}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = {value}
"""
ROWS = """
    S = T.alloc_buffer(({n},))
    for i, k in T.grid({n}, {m}):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk] * A[vi, vk]
"""
KERNELS = {
    "sum": ELEMENTWISE.replace("{value}", "A[vi, vj] + B[vi, vj]"),
    "exp": ELEMENTWISE.replace("{value}", "T.exp(A[vi, vj]) - B[vi, vj]"),
    "parts": ELEMENTWISE.replace("{value}", "T.if_then_else(vj < 4, A[vi, vj], B[vi, vj] * T.float32(2))"),
    "norm": ROWS + ELEMENTWISE.replace("{value}", "A[vi, vj] / S[vi] + B[vi, vj]"),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 5), (1, 33), (7, 100), (2, 70_001)])
def test_in_place(name: str, n: int, m: int) -> None:
    """The result is the one of three arrays, bit by bit, whatever is left of vectors."""
    function = tvmscript.build(tvmscript.from_source((HEAD + KERNELS[name]).format(n=n, m=m)))["main"]
    a, b = np.random.default_rng(0).uniform(1, 2, (2, n, m)).astype("float32")
    expected = np.zeros_like(a)
    function(a, b, expected)
    first, second = a.copy(), b.copy()
    function(first, b, first)
    function(a, second, second)
    np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(second, expected)
