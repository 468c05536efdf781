"""Loops that accumulate in local memory."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.backends.llvm import EXACT
from tvmscript.backends.llvm.codegen.register_promotion import CarryElements, PromoteAccumulators
from tvmscript.ir.tir import PrimFunc

FUNCTION = """
@T.prim_func
def main(A: T.Buffer((64,), "float32"), C: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32"), n: T.int32):
    {body}
"""
LOOP = """for k in range(8):
        C[0:4] = T.max(C[0:4], A[k * 4:k * 4 + 4])
"""
PROMOTED = """C_local = T.allocate([4], "float32", "local")
C_local_1 = T.Buffer((4,), data=C_local, scope="local")
C_local_1[0:4] = C[0:4]
for k in range(8):
    C_local_1[0:4] = T.max(C_local_1[0:4], A[k * 4:k * 4 + 4])
C[0:4] = C_local_1[0:4]
"""


def _promoted(body: str, *, is_alone: bool = True) -> tuple[PrimFunc, PrimFunc]:
    func = tvmscript.from_source(FUNCTION.format(body=body))
    assert isinstance(func, PrimFunc)
    memory = {buffer.data: is_alone for buffer in func.buffer_map.values()}
    return func, func.with_body(PromoteAccumulators(memory).rewrite(func.body))


def _is_promoted(body: str, *, is_alone: bool = True) -> bool:
    before, after = _promoted(body, is_alone=is_alone)
    return after.body is not before.body


def test_text() -> None:
    expected = tvmscript.from_source(FUNCTION.format(body=PROMOTED.replace("\n", "\n    ")))
    tvmscript.ir.assert_structural_equal(_promoted(LOOP)[1], expected)


@pytest.mark.parametrize(
    "body",
    [
        "for k in range(8):\n        C[n] = C[n] + A[k]",
        "for k, m in T.grid(4, 4):\n        C[n] = C[n] + A[k * 4 + m]",
        "for k in range(8):\n        C[n] = C[n] + A[k]\n        D[0] = T.max(D[0], A[k])",
        "C[n] = C[n] + A[0]\n    C[n] = C[n] + A[1]",
        "for j in range(8):\n        C[j] = C[j] + A[j]\n        C[j] = C[j] + A[j + 8]",
    ],
)
def test_what_is_promoted(body: str) -> None:
    assert _is_promoted(body)
    assert not _is_promoted(body, is_alone=False)


@pytest.mark.parametrize(
    "body",
    [
        "for k in range(n):\n        C[0] = C[0] + A[k]",  # perhaps without iterations, and C without memory
        "for k in range(8):\n        if n < 8:\n            C[n] = C[n] + A[k]",  # perhaps no element of C
        "for k in range(8):\n        for m in range(n):\n            C[0] = C[0] + A[m]",
        "for k in range(8):\n        C[k] = C[k] + A[k]",  # at another address in each iteration
        "for k, m in T.grid(4, 4):\n        C[m] = C[m] + A[k]",
        "for k in range(8):\n        C[0] = A[k]",  # nothing is accumulated
        "for k in range(8):\n        C[0] = C[0] + C[1]",  # another element of the buffer is loaded
        "for k in range(8):\n        C[0] = C[0] + A[k]\n        C[1] = C[1] + A[k]",  # or stored
        "for k in T.parallel(8):\n        C[0] = C[0] + A[k]",
        'for k in range(8):\n        C[0] = C[0] + T.call_extern("float32", "f", C.data)',  # may access C
        "for k in range(8):\n        C[T.Cast('int32', D[0])] = C[T.Cast('int32', D[0])] + A[k]",
        "C[n] = C[n] + A[0]\n    D[n] = D[n] + A[1]",  # each once
        "T.evaluate(0)\n    C[n] = C[n] + A[0]",
    ],
)
def test_what_is_not_promoted(body: str) -> None:
    assert not _is_promoted(body)


COLUMNS = """
@T.prim_func
def main(A: T.Buffer((9, 40), "float32"), C: T.Buffer((40,), "float32")):
    for i, k in T.grid(40, 9):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.min_value("float32")
            C[vi] = T.max(C[vi], A[vk, vi])
"""


def test_values() -> None:
    a, c = np.random.default_rng(0).normal(size=(9, 40)).astype("float32"), np.zeros(40, "float32")
    tvmscript.build(tvmscript.from_source(COLUMNS))["main"](a, c)
    np.testing.assert_array_equal(c, a.max(0))


SCAN = """for k in range(8):
        A[k * 4 + 4:k * 4 + 8] = A[k * 4:k * 4 + 4] + C[0:4]
"""
CARRIED = """A_local = T.allocate([4], "float32", "local")
A_local_1 = T.Buffer((4,), data=A_local, scope="local")
A_local_1[0:4] = A[0:4]
for k in range(8):
    A_local_1[0:4] = A_local_1[0:4] + C[0:4]
    A[k * 4 + 4:k * 4 + 8] = A_local_1[0:4]
"""


def _is_carried(body: str, *, is_alone: bool = True) -> bool:
    func = tvmscript.from_source(FUNCTION.format(body=body))
    assert isinstance(func, PrimFunc)
    memory = {buffer.data: is_alone for buffer in func.buffer_map.values()}
    return CarryElements(memory).rewrite(func.body) is not func.body


def test_the_text_of_a_scan() -> None:
    func = tvmscript.from_source(FUNCTION.format(body=SCAN))
    assert isinstance(func, PrimFunc)
    memory = dict.fromkeys([buffer.data for buffer in func.buffer_map.values()], True)
    expected = tvmscript.from_source(FUNCTION.format(body=CARRIED.replace("\n", "\n    ")))
    tvmscript.ir.assert_structural_equal(func.with_body(CarryElements(memory).rewrite(func.body)), expected)


@pytest.mark.parametrize(
    ("body", "is_carried"),
    [
        ("for k in range(8):\n        A[k + 1] = A[k] + D[0]", True),
        ("for k in range(8):\n        A[n + k] = A[n + k - 1] * A[n + k - 1]", True),
        ("for k in range(8):\n        A[8 - k] = A[9 - k] + D[0]", True),  # backwards
        ("for k in range(8):\n        A[n] = A[n] + D[k]", False),  # accumulates
        ("for k in range(n):\n        A[k + 1] = A[k] + D[0]", False),  # perhaps without iterations
        ("for k in range(1, 8):\n        A[k] = A[k - 1] + D[0]", False),
        ("for k in range(8):\n        A[k + 2] = A[k] + D[0]", False),  # what the iteration before the last one stores
        ("for k in range(8):\n        A[k] = A[k + 1] + D[0]", False),
        ("for k in range(8):\n        A[k + 2] = A[k + 1] + A[k]", False),
        ("for k in range(8):\n        A[k + 1] = C[k] + D[0]", False),
        ("for k in range(8):\n        A[k * 4:k * 4 + 4] = A[k * 4 - 2:k * 4 + 2] + C[0:4]", False),
        ("for k in T.parallel(8):\n        A[k + 1] = A[k] + D[0]", False),
        ('for k in range(8):\n        A[k + 1] = A[k] + T.call_extern("float32", "f", A.data)', False),
        ("for k in range(8):\n        A[T.Cast('int32', D[k]) + 1] = A[T.Cast('int32', D[k])] + D[0]", False),
    ],
)
def test_what_is_carried(body: str, is_carried: bool) -> None:
    assert _is_carried(body) is is_carried
    assert not _is_carried(body, is_alone=False)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int16"])
@pytest.mark.parametrize("columns", [1, 2, 5, 40])
def test_scans(columns: int, dtype: str) -> None:
    """Each sum is rounded to the dtype that it is stored in, although the next one does not read the memory."""
    x = te.placeholder((30, columns), dtype)
    func: Any = te.create_prim_func([x, topi.cumsum(x, 0)])
    a = np.random.default_rng(0).integers(-99, 99, (30, columns)).astype(getattr(ml_dtypes, dtype, dtype))
    sums, defined = np.zeros_like(a), np.zeros_like(a)
    tvmscript.build(func, EXACT)["main"](a, sums)
    tvmscript.build(func, "interp")["main"](a, defined)
    np.testing.assert_array_equal(sums.view("uint8"), defined.view("uint8"))
