"""Loops that are split where their variable is only divided by one number."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.backends import llvm
from tvmscript.backends.llvm.codegen.divided_loops import split_by_divisor
from tvmscript.ir.core import structural_equal
from tvmscript.ir.tir import PrimFunc, Stmt
from tvmscript.ir.tir.stmt import For


def loop_of(loops: str, body: str) -> Stmt:
    func = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    for {loops}:
        {body}
""")
    assert isinstance(func, PrimFunc)
    return func.body


def test_quotients_and_remainders_are_two_loops() -> None:
    loop = loop_of("f in T.serial(24)", "A[f // 3 * 8 + f % 3] = A[f // 3]")
    assert isinstance(loop, For)
    nested = split_by_divisor(loop)
    assert nested is not None
    assert structural_equal(nested, loop_of("f, i in T.grid(8, 3)", "A[f * 8 + i] = A[f]"), map_free_vars=True)


@pytest.mark.parametrize("index", ["f // 3 + f", "f // 3 + f % 4", "f // 5", "f + 1", "(f + 1) // 3"])
def test_other_loops_stay(index: str) -> None:
    loop = loop_of("f in T.serial(24)", f"A[{index}] = T.float32(1)")
    assert isinstance(loop, For)
    assert split_by_divisor(loop) is None


@pytest.mark.parametrize(
    ("inner", "dtype"), [(1, "float32"), (2, "float64"), (3, "float32"), (7, "float32"), (37, "float64")]
)
def test_running_sums_along_the_middle(inner: int, dtype: str) -> None:
    """Rows side by side are vectors; the terms of each keep their order."""
    x = te.placeholder((3, 6, inner), dtype, name="x")
    program = te.create_prim_func([x, topi.cumsum(x, 1)]).with_attr("tir.noalias", True)
    a = np.random.default_rng(inner).random((3, 6, inner)).astype(dtype)
    c = np.zeros_like(a)
    tvmscript.build(program, target=llvm.EXACT)["main"](a, c)
    np.testing.assert_array_equal(c, np.cumsum(a, 1, dtype))
    text = tvmscript.build(program, target="llvm -mcpu=x86-64-v4").get_source("input")
    assert (re.search(r"fadd[^\n]* <\d+ x", text) is not None) == (inner > 1)
