"""Calls inside of a module that need no checks at run time, and those that do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript.backends.runtime.errors import WrongArrayShape

_MODULE = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        B = T.match_buffer(b, (n, 4))
        for i, j in T.grid(n, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + A[vi, vj]

    @T.prim_func
    def main(a: T.handle, b: T.handle):
        T.func_attr({"tir.is_scheduled": True})
        m = T.int64()
        A = T.match_buffer(a, (m, 4))
        B = T.match_buffer(b, (m, 4))
        Module.double(
            T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(EXTENTS), 0, RANK, T.float32(0), 0),
            T.tvm_stack_make_array(B.data, T.tvm_stack_make_shape(m, 4), 0, 2, T.float32(0), 0),
        )
"""


def _build(extents: str, rank: int = 2) -> Any:
    return tvm.build(tvm.from_source(_MODULE.replace("EXTENTS", extents).replace("RANK", str(rank))))


@pytest.mark.parametrize("extents", ["m, 4", "m + 1 - 1, 2 + 2"])
def test_proven_shapes_are_called_directly(extents: str) -> None:
    built = _build(extents)
    a = np.arange(12, dtype="float32").reshape(3, 4)
    b = np.zeros_like(a)
    built["main"](a, b)
    np.testing.assert_array_equal(b, a + a)
    assert "double.checked" not in built.get_source("input")


def test_other_shapes_are_checked_when_called() -> None:
    built = _build("m, m + 1")
    assert "double.checked" in built.get_source("input")
    a = np.arange(12, dtype="float32").reshape(3, 4)
    b = np.zeros_like(a)
    built["main"](a, b)
    np.testing.assert_array_equal(b, a + a)
    with pytest.raises(WrongArrayShape, match="double: the array A takes the extent 4 in dimension 1, but got 3"):
        built["main"](a[:2], b[:2])
