"""Loads whose values are known are not repeated, stores that others replace not written; but what is read is."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core import DType

OVERLAPPING = """
@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    A[0:4] = T.Broadcast(T.float32(1), 4)
    A[1] = T.float32(2)
    B[0:4] = A[0:4]
    A[2:6] = T.Broadcast(T.float32(3), 4)
    B[4:8] = A[0:4] + B[0:4]
"""

SHARED = """
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    T.func_attr({"tir.noalias": T.bool(False)})
    A = T.match_buffer(a, (1,), "float32")
    B = T.match_buffer(b, (1,), "float32")
    C = T.match_buffer(c, (2,), "float32")
    C[0] = A[0]
    B[0] = T.float32(7)
    C[1] = A[0]
"""

REPEATED = """
@T.prim_func
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    B[0] = A[0]
    B[1] = A[0] * T.float32(2)
    B[2] = B[1]
    B[3] = A[0] + B[2]
"""


def test_stores_to_the_same_memory() -> None:
    a, b = np.zeros(8, "float32"), np.zeros(8, "float32")
    tvmscript.build(tvmscript.from_source(OVERLAPPING))["main"](a, b)
    np.testing.assert_array_equal(b, [1, 2, 1, 1, 2, 4, 4, 4])
    np.testing.assert_array_equal(a, [1, 2, 3, 3, 3, 3, 0, 0])


def test_stores_to_memory_that_overlaps() -> None:
    a, c = np.ones(1, "float32"), np.zeros(2, "float32")
    tvmscript.build(tvmscript.from_source(SHARED))["main"](a, a, c)
    np.testing.assert_array_equal(c, [1, 7])


def test_known_values() -> None:
    module = tvmscript.build(tvmscript.from_source(REPEATED))
    assert module.get_source("input").count("load float, ptr %p") == 1
    a, b = np.full(4, 3, "float32"), np.zeros(4, "float32")
    module["main"](a, b)
    np.testing.assert_array_equal(b, [3, 6, 6, 9])


REPLACED = """
@T.prim_func
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), I: T.Buffer((1,), "int32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    B[0] = A[0]
    B[0] = B[0] * T.float32(2)
    B[0] = B[0] + A[1]
    B[1] = A[2]
    A[2] = B[I[0]]
    B[1] = A[3]
    B[2] = A[2]
    B[3] = A[0]
    if I[0] == 0:
        B[3] = A[1]
    B[3] = B[3] + A[2]
"""


def test_stores_that_are_replaced() -> None:
    module = tvmscript.build(tvmscript.from_source(REPLACED))
    assert module.get_source("input").count("store float") == 8
    for place, read in ((0, 11), (1, 30)):
        a, b = np.asarray([5, 1, 30, 40], "float32"), np.zeros(4, "float32")
        module["main"](a, b, np.asarray([place], "int32"))
        np.testing.assert_array_equal(b, [11, 40, read, 12 if place == 0 else 35])


GATHERED = """
@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((4,), "float32")):
    S = T.decl_buffer((32,), "float32", scope="local")
    S[0:32] = A[0:32] + T.Broadcast(T.float32(1), 32)
    B[0:4] = S[T.Ramp(3, 7, 4)]
"""


def test_elements_of_memory_in_registers() -> None:
    module = tvmscript.build(tvmscript.from_source(GATHERED))
    assert "gather" not in module.get_source("input")
    a, b = np.arange(32, dtype="float32"), np.zeros(4, "float32")
    module["main"](a, b)
    np.testing.assert_array_equal(b, [4, 11, 18, 25])


@pytest.mark.parametrize(("cpu", "register"), [("skylake-avx512", "zmm"), ("haswell", "ymm")])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8"])
def test_wide_vectors_are_stored_from_the_first_register_on(dtype: str, cpu: str, register: str) -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((64,), "{dtype}"), B: T.Buffer((64,), "{dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in T.vectorized(64):
        B[i] = A[i] + A[i]
"""
    bits = {"zmm": 512, "ymm": 256}[register]
    built = tvmscript.build(tvmscript.from_source(text), f"llvm -mtriple=x86_64-pc-linux-gnu -mcpu={cpu}")
    stored = re.findall(rf"mov\w+\s+%{register}\d+, (\d*)\(%r", built.get_source("asm"))
    places = [int(place or 0) for place in stored]
    assert places == [*range(0, 64 * DType(dtype).itemsize, bits // 8)]


def test_values_of_wide_vectors() -> None:
    """Elements of several registers, also of masks, are where one register would have them."""
    text = """
@T.prim_func
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32"), C: T.Buffer((256,), "bool")):
    for i in T.vectorized(256):
        B[i] = A[i] * T.float32(2)
        C[i] = A[i] < T.float32(100)
"""
    a, b, c = np.arange(256, dtype="float32"), np.zeros(256, "float32"), np.zeros(256, "bool")
    tvmscript.build(tvmscript.from_source(text), "llvm")["main"](a, b, c)
    np.testing.assert_array_equal(b, a * 2)
    np.testing.assert_array_equal(c, a < 100)
