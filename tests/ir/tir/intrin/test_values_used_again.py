"""Functions of `T` that use a value more than once."""

from __future__ import annotations

from typing import Any

import numpy as np

import tvmscript
from tvmscript.ir.core.equal import assert_structural_equal
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


def test_other_values_are_the_same_objects() -> None:
    func: Any = tvmscript.from_source(TEXT.replace("T.Let(x * x - 5, where={x: A[i]})", "A[i]"))
    select = func.body.body.value
    assert select.true_value is select.condition.a
