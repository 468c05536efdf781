"""Functions of `T` that use a value more than once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.tir.verify import verify

TEXT = """
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    T.func_attr({"global_symbol": "main"})
    x = T.int32()
    for i in range(4):
        B[i] = T.abs(T.Let(x * x - 5, where={x: A[i]}))
"""


def test_what_is_defined_inside_is_defined_once() -> None:
    func: Any = tvmscript.from_source(TEXT)
    verify(func)
    assert_structural_equal(tvmscript.from_source(func.script()), func)
    made = np.zeros(4, "int32")
    tvmscript.build(func, target="interp")["main"](np.arange(4, dtype="int32"), made)
    np.testing.assert_array_equal(made, [5, 4, 1, 4])


#: a statement for each element, which is to be as many there as NumPy computes
STATEMENTS = {
    "B[i] = T.ceildiv(19, T.Let(x * x + 2, where={x: A[i]}))": [10, 7, 4, 2],
    "B[i] = T.ceildiv(T.Let(x * x + 2, where={x: A[i]}), 2)": [1, 2, 3, 6],
    "B[i] = T.Cast('int32', T.isinf(T.Let(y / T.float32(2), where={y: T.Cast('float32', A[i])})))": [0, 0, 0, 0],
    "B[i] = T.Cast('int32', T.isfinite(T.Let(y * y, where={y: T.Cast('float32', A[i])})))": [1, 1, 1, 1],
    "B[i] = T.Cast('int32', 1 < T.Let(x * x, where={x: A[i]}) < 9)": [0, 0, 1, 0],
    "B[T.Let(3 - x, where={x: i})] += A[i] + 1": [4, 3, 2, 1],
    "for j in T.serial(T.Let(x * x, where={x: A[i]}), 9):\n            B[i] += j": [36, 36, 30, 0],
    "for j in range(T.Let(x + 1, where={x: A[i]}), A[i] + 3):\n            B[i] += 1": [2, 2, 2, 2],
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_wherever_a_value_is_used_again(statement: str) -> None:
    text = TEXT.replace("B[i] = T.abs(T.Let(x * x - 5, where={x: A[i]}))", statement)
    func: Any = tvmscript.from_source(text.replace("    x = T.int32()\n", "    x = T.int32()\n    y = T.float32()\n"))
    verify(func)
    assert_structural_equal(tvmscript.from_source(func.script()), func)
    made = np.zeros(4, "int32")
    tvmscript.build(func, target="interp")["main"](np.arange(4, dtype="int32"), made)
    np.testing.assert_array_equal(made, STATEMENTS[statement])


def test_regions_whose_start_defines_variables() -> None:
    text = TEXT.replace(
        "B[i] = T.abs(T.Let(x * x - 5, where={x: A[i]}))",
        """with T.block("b"):
            vi = T.axis.spatial(4, i)
            T.reads(A[T.Let(x // 2, where={x: vi}) : 4])
            T.writes(B[vi])
            B[vi] = A[vi]""",
    )
    func: Any = tvmscript.from_source(text)
    verify(func)
    assert_structural_equal(tvmscript.from_source(func.script()), func)


def test_other_values_are_the_same_objects() -> None:
    func: Any = tvmscript.from_source(TEXT.replace("T.Let(x * x - 5, where={x: A[i]})", "A[i]"))
    select = func.body.body.value
    assert select.true_value is select.condition.a
