"""Values computed from data wrap around, whatever would follow if they did not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tvmscript

EDGES = [2**31 - 1, -(2**31), 0, 1, -1, 2**30, -(2**30), 2**31 - 2]

# what is stored -> what Python's integers, reduced to int32, say
CASES: dict[str, Callable[[int], bool]] = {
    "A[i] + 1 > A[i]": lambda a: wrap(a + 1) > a,
    "A[i] - 1 < A[i]": lambda a: wrap(a - 1) < a,
    "A[i] * 2 // 2 == A[i]": lambda a: wrap(a * 2) // 2 == a,
    "T.max(A[i] + 1, A[i]) == A[i] + 1": lambda a: max(wrap(a + 1), a) == wrap(a + 1),
    "(A[i] + 3) // 2 == (A[i] + 1) // 2 + 1": lambda a: wrap(a + 3) // 2 == wrap(wrap(a + 1) // 2 + 1),
    "A[i] * 4 % 8 == A[i] % 2 * 4": lambda a: wrap(a * 4) % 8 == a % 2 * 4,
    "A[i] + 5 < A[i] + 7": lambda a: wrap(a + 5) < wrap(a + 7),
    "(A[i] + i) - i >= A[i]": lambda a: True,
    "T.Let(x + 1 > x, where={x: A[i]})": lambda a: wrap(a + 1) > a,
}


def wrap(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


@pytest.mark.parametrize("target", ["interp", "llvm"])
@pytest.mark.parametrize("condition", CASES)
def test_condition(condition: str, target: str) -> None:
    head = '@T.prim_func\ndef f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):\n'
    declared = "    x = T.int32()\n" if "where" in condition else ""
    func = tvmscript.from_source(f"{head}{declared}    for i in range(8):\n        B[i] = {condition}\n")
    a, b = np.array(EDGES, "int32"), np.zeros(8, bool)
    tvmscript.build(func, target=target)["f"](a, b)
    assert b.tolist() == [CASES[condition](value) for value in EDGES]


def test_variables_that_stand_for_data() -> None:
    func = tvmscript.from_source(
        '@T.prim_func\ndef f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "bool")):\n'
        "    for i in range(8):\n        x: T.int32 = A[i]\n        y: T.int32 = x + 1\n        B[i] = y > x\n"
    )
    a, b = np.array(EDGES, "int32"), np.zeros(8, bool)
    tvmscript.build(func)["f"](a, b)
    assert b.tolist() == [wrap(value + 1) > value for value in EDGES]


def test_indices_from_data_are_still_simplified() -> None:
    func = tvmscript.from_source(
        '@T.prim_func\ndef f(A: T.Buffer((8,), "int32"), B: T.Buffer((64, 4), "float32")):\n'
        "    for i in range(8):\n        for j in T.vectorized(4):\n            B[A[i], j] = T.float32(1)\n"
    )
    assert "B_1[A_1[i] * 4:A_1[i] * 4 + 4] = T.Broadcast(T.float32(1), 4)" in tvmscript.lower(func, "llvm").script()
