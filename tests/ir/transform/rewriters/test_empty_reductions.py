"""Reductions without terms: their results are what their inits write, on every way to machine code."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.cpu.programs import nest, program
from tvmscript.backends import llvm
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.rewriters.empty_reductions import init_empty_reductions

PRODUCT = nest(
    "C", ["n", "40", "m"], "SSR", "C[v0, v1] = C[v0, v1] + A[v0, v2] * B[v2, v1]", "C[v0, v1] = T.float32(0)"
)
ROWS = nest("C", ["n", "m"], "SR", "C[v0] = C[v0] + A[v0, v1]", "C[v0] = T.float32(0)")
COLUMNS = nest("C", ["n", "m"], "SR", "C[v0] = C[v0] + A[v1, v0]", "C[v0] = T.float32(0)")
CONSTANT = nest("C", ["30", "0"], "SR", "C[v0] = C[v0] + A[v0, v1]", "C[v0] = T.float32(0)")
ALL = nest("C", ["n", "m"], "RR", "C[0] = C[0] + A[v0, v1]", "C[0] = T.float32(0)")


@pytest.mark.parametrize("target", ["llvm", llvm.EXACT, "interp"])
@pytest.mark.parametrize(
    ("func", "shapes"),
    [
        (program("A: (n, m); B: (m, 40); C: (n, 40)", PRODUCT), [(30, 0), (0, 40), (30, 40)]),
        (program("A: (n, m); B: (m, 40); C: (n, 40)", PRODUCT), [(1, 0), (0, 40), (1, 40)]),
        (program("A: (n, m); C: (n,)", ROWS), [(30, 0), (30,)]),
        (program("A: (m, n); C: (n,)", COLUMNS), [(0, 40), (40,)]),
        (program("A: (n, m); C: (1,)", ALL), [(30, 0), (1,)]),
        (program("A: (n, m); C: (1,)", ALL), [(0, 30), (1,)]),
        (program("A: (30, 0); C: (30,)", CONSTANT), [(30, 0), (30,)]),
    ],
)
def test_inits_run(func: PrimFunc, shapes: list[tuple[int, ...]], target: str) -> None:
    for default_schedule in (False, True):
        arrays = [np.full(shape, 7, "f") for shape in shapes]
        tvmscript.build(func, target=target, default_schedule=default_schedule)["main"](*arrays)
        np.testing.assert_array_equal(arrays[-1], 0)


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_results_that_are_written_before(target: str) -> None:
    fill = nest("F", ["n", "40"], "SS", "C[v0, v1] = T.float32(3)")
    func = program("A: (n, m); B: (m, 40); C: (n, 40)", fill, PRODUCT)
    for terms in (0, 5):
        a, b, c = np.ones((30, terms), "f"), np.ones((terms, 40), "f"), np.zeros((30, 40), "f")
        tvmscript.build(func, target)["main"](a, b, c)
        np.testing.assert_array_equal(c, terms)


@pytest.mark.parametrize("steps", [("split",), ("split", "reorder"), ("decompose",), ("unroll",)])
def test_scheduled_reductions(steps: tuple[str, ...]) -> None:
    """Steps of schedules change nothing: the loops of the reduction are split, or around those of the rows."""
    func = program("A: (n, m); C: (n,)", ROWS)
    sch = tvmscript.Schedule(func)
    (i, k) = sch.get_loops(sch.get_block("C"))
    if "decompose" in steps:
        sch.decompose_reduction(sch.get_block("C"), k)
    elif "unroll" in steps:
        sch.unroll(sch.split(k, [None, 4])[1])
    else:
        outer, _ = sch.split(k, [None, 4])
        if "reorder" in steps:
            sch.reorder(outer, i)
    for target in ("llvm", "interp"):
        for terms in (0, 6):
            a, c = np.ones((5, terms), "f"), np.full(5, 7, "f")
            tvmscript.build(sch.mod, target)["main"](a, c)
            np.testing.assert_array_equal(c, terms)


def test_reductions_in_reductions() -> None:
    func = tvmscript.from_source("""
@T.prim_func
def main(a: T.handle, C: T.Buffer((3,), "float32")):
    n = T.int32()
    A = T.match_buffer(a, (3, 4, n), "float32")
    B = T.alloc_buffer((3,), "float32")
    for i, k in T.grid(3, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.float32(0)
            for j in range(n):
                with T.block("B"):
                    vj = T.axis.reduce(n, j)
                    with T.init():
                        B[vi] = T.float32(1)
                    B[vi] = B[vi] + A[vi, vk, vj]
            C[vi] = C[vi] + B[vi]
""")
    for target in ("llvm", "interp"):
        for terms in (0, 2):
            c = np.full(3, 7, "f")
            tvmscript.build(func, target)["main"](np.ones((3, 4, terms), "f"), c)
            np.testing.assert_array_equal(c, 4 * (1 + terms))


def test_loops_that_run() -> None:
    """Nothing is added where all loops have iterations, and where threads run them."""
    known = program("A: (30, 4); C: (30,)", nest("C", ["30", "4"], "SR", "C[v0] = C[v0] + A[v0, v1]", "C[v0] = 0.0"))
    assert init_empty_reductions(known) is known
    sch = tvmscript.Schedule(program("A: (n, m); C: (n,)", ROWS))
    (_, k) = sch.get_loops(sch.get_block("C"))
    sch.bind(k, "threadIdx.x")
    func = sch.mod["main"]
    assert isinstance(func, PrimFunc)
    assert init_empty_reductions(func) is func
