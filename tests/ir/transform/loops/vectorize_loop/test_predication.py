"""Conditions that differ between lanes: masked loads and stores, the same values, nothing outside of memory."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends import interp
from tvmscript.fuzz.codegen.machine import Text, as_main, check
from tvmscript.fuzz.codegen.running import first_difference, left
from tvmscript.fuzz.codegen.tails import tails
from tvmscript.fuzz.guard_pages import guarded
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import BufferLoad, Select
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore, For
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.ir.transform.registry import get_pass

#: the same on every Python
pytestmark = pytest.mark.long


def vectorized(text: str) -> PrimFunc:
    func = get_pass("tir.VectorizeLoop", is_predicated=True)(tvmscript.from_source(text))
    assert isinstance(func, PrimFunc)
    return func


def masked(func: PrimFunc) -> tuple[list[str], list[str]]:
    """The buffers of masked loads and of masked stores."""
    loads = [n.buffer.name for n in nodes(func) if isinstance(n, BufferLoad) and n.predicate is not None]
    stores = [n.buffer.name for n in nodes(func) if isinstance(n, BufferStore) and n.predicate is not None]
    return loads, stores


def test_a_condition_on_lanes_is_a_mask() -> None:
    func = vectorized("""
@T.prim_func
def main(A: T.Buffer((37,), "float32"), B: T.Buffer((37,), "float32")):
    for i in range(3):
        for j in T.vectorized(16):
            if i * 16 + j < 37:
                B[i * 16 + j] = T.if_then_else(i * 16 + j >= 3, A[i * 16 + j - 3], T.float32(0))
""")
    assert masked(func) == (["A"], ["B"])
    assert sum(isinstance(node, For) for node in nodes(func)) == 1


def test_what_is_in_bounds_has_no_mask() -> None:
    """And what is equal in all lanes is loaded once, where a lane is known to be active."""
    func = vectorized("""
@T.prim_func
def main(A: T.Buffer((48,), "float32"), U: T.Buffer((1,), "float32"), B: T.Buffer((37,), "float32"), n: T.int32):
    for i in range(3):
        for j in T.vectorized(16):
            if i * 16 + j < 37:
                B[i * 16 + j] = A[i * 16 + j] + U[n]
""")
    assert masked(func) == ([], ["B"])


def test_what_no_lane_may_need_is_masked() -> None:
    func = vectorized("""
@T.prim_func
def main(U: T.Buffer((1,), "float32"), B: T.Buffer((37,), "float32"), n: T.int32):
    for j in T.vectorized(16):
        if j < n:
            B[j] = U[n]
""")
    assert masked(func) == (["U"], ["B"])


@pytest.mark.parametrize("is_behind", [False, True])
@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 37, 64])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bool"])
def test_nothing_outside_is_touched(n: int, dtype: str, is_behind: bool) -> None:
    """Elements of arrays beside forbidden memory, 64 bytes of them after the last element in use."""
    kernel = tvmscript.build(
        tvmscript.from_source(f"""
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "{dtype}")
    B = T.match_buffer(b, (n,), "{dtype}")
    for i in range(40):
        for j in T.vectorized(16):
            if i * 16 + j < n:
                B[i * 16 + j] = A[n - 1 - i * 16 - j]
""")
    )
    values = np.arange(n).astype(dtype)
    a, b = (guarded(each, is_behind=is_behind) for each in (values, np.zeros(n, dtype)))
    kernel(a, b)
    np.testing.assert_array_equal(b, values[::-1])


def test_the_condition_is_evaluated_before_what_it_guards() -> None:
    kernel = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for j in T.vectorized(16):
        if A[j] > T.float32(4):
            A[j] = T.float32(0)
            B[j] = T.float32(1)
        else:
            A[j] = T.float32(9)
            B[j] = T.float32(2)
""")
    assert masked(vectorized(kernel.script()))[1] == ["A", "B", "A", "B"]
    a, b = np.arange(16, dtype="float32"), np.zeros(16, "float32")
    tvmscript.build(kernel)(a, b)
    np.testing.assert_array_equal(a, np.where(np.arange(16) > 4, 0, 9))
    np.testing.assert_array_equal(b, np.where(np.arange(16) > 4, 1, 2))


def test_inactive_lanes_do_not_divide() -> None:
    func = vectorized("""
@T.prim_func
def main(X: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for j in T.vectorized(8):
        if X[j] != 0 and 12 // X[j] > 2 and j < n:
            B[j] = 100 // X[j] + 7 // n
""")
    assert sum(isinstance(node, For) for node in nodes(func)) == 0
    for n in (0, 5):
        for target in ("interp", "llvm"):
            x, b = np.arange(8, dtype="int32"), np.zeros(8, "int32")
            tvmscript.build(func, target=target)(x, b, n)
            assert b.tolist() == [0, *(100 // k + 7 // n if k < n and 12 // k > 2 else 0 for k in range(1, 8))]


def test_a_statement_without_masked_form_keeps_its_condition() -> None:
    text = """
@T.prim_func
def main(B: T.Buffer((8,), "int32"), S: T.Buffer((1,), "int32")):
    for j in T.vectorized(8):
        if j % 3 != 0:
            B[j] = 1
            S[0] = S[0] + j
"""
    assert sum(isinstance(node, For) for node in nodes(vectorized(text))) == 1
    b, s = np.zeros(8, "int32"), np.zeros(1, "int32")
    tvmscript.build(tvmscript.from_source(text))(b, s)
    assert b.tolist() == [0, 1, 1, 0, 1, 1, 0, 1]
    assert s.tolist() == [1 + 2 + 4 + 5 + 7]


def test_accumulators_stay_in_registers() -> None:
    """Masked stores to a function's own memory are whole vectors; the rest of the memory keeps its values."""
    text = """
@T.prim_func
def main(A: T.Buffer((100, 37), "float32"), B: T.Buffer((37,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    L = T.alloc_buffer((16,), "float32", scope="local")
    for i in range(3):
        for j in T.vectorized(16):
            L[j] = T.float32(0)
        for k in range(100):
            for j in T.vectorized(16):
                if i * 16 + j < 37:
                    L[j] = L[j] + A[k, i * 16 + j]
        for j in T.vectorized(16):
            if i * 16 + j < 37:
                B[i * 16 + j] = L[j]
"""
    module = tvmscript.build(tvmscript.from_source(text))
    assert "alloca" not in module.get_source("ll")
    a, b = np.arange(3700, dtype="float32").reshape(100, 37), np.zeros(37, "float32")
    module(a, b)
    np.testing.assert_array_equal(b, a.sum(0))


@pytest.mark.parametrize(
    ("cpu", "store"), [("skylake-avx512", "@llvm.masked.store"), ("haswell", "store <14 x float>")]
)
def test_memory_shorter_than_a_vector_is_masked(cpu: str, store: str) -> None:
    """Machines with mask registers store by a mask, others shorter vectors."""
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    L = T.alloc_buffer((14,), "float32", scope="local")
    for j in T.vectorized(16):
        if j < 14:
            L[j] = A[j]
    for j in T.vectorized(16):
        if j < 14:
            B[j] = L[15 - j - 2]
"""
    func = tvmscript.from_source(text)
    assert store in tvmscript.build(func, target=f"llvm -mcpu={cpu}").get_source("input")
    a, b = np.arange(16, dtype="float32"), np.zeros(16, "float32")
    tvmscript.build(func)(a, b)
    assert b.tolist() == [*range(13, -1, -1), 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from((0, 1, 2, 3)), st.sampled_from(("direct", "lowered")))
def test_compiled_tails_compute_the_same(seed: int, level: int, form: str) -> None:
    kernel = tails(random.Random(seed))
    check(Text(kernel.text, level, form, seed, kernel.sizes))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_interpreted_tails_compute_the_same(seed: int) -> None:
    """After lowering, in the interpreter: inactive lanes do nothing that is undefined."""
    kernel = tails(random.Random(seed))
    module = as_main(tvmscript.from_source(kernel.text))
    func = module["main"]
    assert isinstance(func, PrimFunc)

    def run(program: IRModule) -> Any:
        return left(interp.build(program), func, seed, kernel.sizes)

    before, after = run(module), run(lower_for_llvm(module))
    assert before.raised is None
    assert after.raised is None, after.raised
    for buffer, old, new in zip(func.buffer_map.values(), before.arrays, after.arrays, strict=True):
        assert first_difference(old, new, buffer.dtype) is None


@pytest.mark.parametrize(
    ("divisor", "is_guarded"), [("2", False), ("-2", False), ("1", False), ("-1", True), ("X[j]", True), ("n", True)]
)
@pytest.mark.parametrize("operator", ["T.truncdiv", "T.floordiv", "T.floormod", "T.truncmod"])
def test_lanes_that_do_not_run_divide_by_1(operator: str, divisor: str, is_guarded: bool) -> None:
    """A divisor may be 0 there, and the least integer has no quotient by -1."""
    func = vectorized(f"""
@T.prim_func
def main(A: T.Buffer((8,), "int32"), X: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for j in T.vectorized(8):
        if A[j] > 3:
            B[j] = {operator}(A[j], {divisor})
""")
    assert any(isinstance(node, Select) for node in nodes(func)) == is_guarded
