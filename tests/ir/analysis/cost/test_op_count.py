"""Operations and bytes, against counting by hand."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.analysis.cost.op_count import work_of
from tvmscript.ir.tir.expr import FloorDiv, IntImm, Min, Select, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.operators import as_expr


def read(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def test_matmul() -> None:
    func = read("""
@T.prim_func
def f(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16, 4), "float32"), C: T.Buffer((8, 4), "float32")):
    for i, j, k in T.grid(8, 4, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""")
    work = work_of(func, {})
    assert work.operations == 2 * 8 * 4 * 16
    assert work.bytes == 4 * (8 * 16 + 16 * 4 + 8 * 4)


def test_symbolic_sizes_and_indices_that_are_no_work() -> None:
    func = read("""
@T.prim_func
def f(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n * 2,), "float64")
    for i in range(n):
        A[i * 2 + 1] = T.exp(A[i * 2]) - T.float64(1)
""")
    n = func.params[1]
    work = work_of(func, {n: 5})
    assert work.operations == 2 * 5
    assert work.bytes == 8 * 10


def test_extents_that_depend_on_loops_and_on_memory() -> None:
    """The middle of the outer loop stands for all of its iterations; an extent that is loaded counts as 1."""
    func = read("""
@T.prim_func
def f(A: T.Buffer((10,), "float32"), N: T.Buffer((1,), "int32")):
    for i in range(10):
        for j in range(i):
            A[i] = A[i] + T.float32(1)
        for k in range(N[0]):
            A[i] = A[i] + T.float32(1)
""")
    assert work_of(func, {}).operations == 10 * 5 + 10


@pytest.mark.parametrize(("size", "value"), [(None, None), (7, 3), (0, 0)])
def test_evaluate_size(size: int | None, value: int | None) -> None:
    n = Var("n", "int32")
    assert evaluate_size(FloorDiv(n, IntImm("int32", 2)), {} if size is None else {n: size}) == value


def test_division_by_zero_has_no_value() -> None:
    assert evaluate_size(FloorDiv(as_expr(4), as_expr(0)), {}) is None


@pytest.mark.parametrize(("size", "value"), [(3, 3), (-3, 13), (20, 16), (None, None)])
def test_evaluate_choices(size: int | None, value: int | None) -> None:
    n = Var("n", "int32")
    for wrapped in (if_then_else(n < 0, n + 16, n), Select(n < 0, n + 16, n)):
        assert evaluate_size(Min(wrapped, as_expr(16)), {} if size is None else {n: size}) == value
