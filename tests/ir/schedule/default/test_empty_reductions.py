"""Default schedules of reductions without terms: results stay as plain loops leave them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.cpu.programs import nest, program
from tvmscript.backends import llvm
from tvmscript.ir.tir import PrimFunc

PRODUCT = nest(
    "C", ["n", "40", "m"], "SSR", "C[v0, v1] = C[v0, v1] + A[v0, v2] * B[v2, v1]", "C[v0, v1] = T.float32(0)"
)
ROWS = nest("C", ["n", "m"], "SR", "C[v0] = C[v0] + A[v0, v1]", "C[v0] = T.float32(0)")
COLUMNS = nest("C", ["n", "m"], "SR", "C[v0] = C[v0] + A[v1, v0]", "C[v0] = T.float32(0)")
ALL = nest("C", ["n", "m"], "RR", "C[0] = C[0] + A[v0, v1]", "C[0] = T.float32(0)")


@pytest.mark.parametrize("target", ["llvm", llvm.EXACT])
@pytest.mark.parametrize(
    ("func", "shapes"),
    [
        (program("A: (n, m); B: (m, 40); C: (n, 40)", PRODUCT), [(30, 0), (0, 40), (30, 40)]),
        (program("A: (n, m); B: (m, 40); C: (n, 40)", PRODUCT), [(1, 0), (0, 40), (1, 40)]),
        (program("A: (n, m); C: (n,)", ROWS), [(30, 0), (30,)]),
        (program("A: (m, n); C: (n,)", COLUMNS), [(0, 40), (40,)]),
        (program("A: (n, m); C: (1,)", ALL), [(30, 0), (1,)]),
        (program("A: (n, m); C: (1,)", ALL), [(0, 30), (1,)]),
    ],
)
def test_results_stay(func: PrimFunc, shapes: list[tuple[int, ...]], target: str) -> None:
    results: list[Any] = []
    for default_schedule in (False, True):
        arrays = [np.full(shape, 7, "f") for shape in shapes]
        tvmscript.build(func, target=target, default_schedule=default_schedule)["main"](*arrays)
        results.append(arrays[-1])
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], 7)


def test_results_that_are_written_before() -> None:
    """A block in front of a reduction runs without terms, too."""
    fill = nest("F", ["n", "40"], "SS", "C[v0, v1] = T.float32(3)")
    func = program("A: (n, m); B: (m, 40); C: (n, 40)", fill, PRODUCT)
    for terms in (0, 5):
        a, b, c = np.ones((30, terms), "f"), np.ones((terms, 40), "f"), np.zeros((30, 40), "f")
        tvmscript.build(func)["main"](a, b, c)
        np.testing.assert_array_equal(c, terms or 3)
