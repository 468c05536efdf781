"""Vectors of lanes that the machine does not have: their parts, and that nothing is stored before it is read."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends.llvm.codegen.split_vectors import SplitVectors
from tvmscript.fuzz.codegen.accesses import vectors
from tvmscript.fuzz.codegen.machine import Text, check
from tvmscript.fuzz.codegen.tails import tails
from tvmscript.ir.core.targets.machine_model import MODELS
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore

AVX512, SSE = MODELS["x86_64"][0][1], MODELS["x86_64"][-1][1]


def stored_lanes(body: str, dtype: str = "float32", size: int = 256) -> dict[str, list[int]]:
    text = f"""
@T.prim_func
def main(A: T.Buffer(({size},), "{dtype}"), B: T.Buffer(({size},), "{dtype}")):
    {body}
"""
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    lanes: dict[str, list[int]] = {}
    for name, model in (("avx512", AVX512), ("sse", SSE)):
        split = SplitVectors(model, func.body).rewrite(func.body)
        lanes[name] = [node.value.dtype.lanes for node in nodes(split) if isinstance(node, BufferStore)]
    return lanes


@pytest.mark.parametrize(
    ("lanes", "avx512", "sse"),
    [
        (16, [16], [16]),
        (48, [32, 16], [16, 16, 16]),
        (24, [16, 8], [16, 8]),
        (7, [4, 2, 1], [4, 2, 1]),
        (64, [64], [16, 16, 16, 16]),
        (96, [64, 32], [16] * 6),
    ],
)
def test_parts(lanes: int, avx512: list[int], sse: list[int]) -> None:
    found = stored_lanes(f"B[0:{lanes}] = A[0:{lanes}] + T.Broadcast(T.float32(1), {lanes})")
    assert found == {"avx512": avx512, "sse": sse}


def test_the_widest_element_counts() -> None:
    assert stored_lanes('B[0:128] = T.Cast("float16x128", A[0:128])', "float16")["avx512"] == [128]
    wide = 'B[0:128] = T.Cast("float16x128", T.Cast("float64x128", A[0:128]))'
    assert stored_lanes(wide, "float16")["avx512"] == [32] * 4


def test_what_stays_whole() -> None:
    shuffled = "B[0:6] = T.Shuffle([A[0:6]], [5, 4, 3, 2, 1, 0])"
    assert stored_lanes(shuffled)["avx512"] == [6]


@pytest.mark.parametrize("lanes", [48, 24, 7])
@pytest.mark.parametrize("shift", [-9, -1, 0, 1, 16])
def test_values_are_read_before_the_first_store(lanes: int, shift: int) -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    A[{20 + shift}:{20 + shift + lanes}] = A[20:{20 + lanes}]
"""
    results = [np.arange(128, dtype="float32") for _ in range(2)]
    for target, result in zip(("llvm", "interp"), results, strict=True):
        tvmscript.build(tvmscript.from_source(text), target)(result)
    np.testing.assert_array_equal(results[0], results[1])


def test_a_variable_in_vectors_of_several_lengths() -> None:
    """As float32 the parts are 16 and 8 lanes of SSE, as float64 three times 8."""
    text = """
@T.prim_func
def main(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32"), C: T.Buffer((24,), "float64")):
    v: T.float32x24 = A[0:24] + T.Broadcast(T.float32(1), 24)
    B[0:24] = v
    C[0:24] = T.Cast("float64x24", v)
"""
    a, b, c = np.arange(24, dtype="float32"), np.zeros(24, "float32"), np.zeros(24)
    tvmscript.build(tvmscript.from_source(text), "llvm -mcpu=x86-64")(a, b, c)
    np.testing.assert_array_equal(b, a + 1)
    np.testing.assert_array_equal(c, a + 1)


@pytest.mark.parametrize("lanes", [48, 40, 24, 20])
@pytest.mark.parametrize("tail", [False, True])
def test_accumulators_stay_in_registers(lanes: int, tail: bool) -> None:
    guard = f"if j < {lanes - 1 if tail else lanes}:"
    text = f"""
@T.prim_func
def main(A: T.Buffer((100,), "float32"), B: T.Buffer((100, {lanes}), "float32"), C: T.Buffer((4, {lanes}), "float32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    L = T.alloc_buffer((4, {lanes}), "float32", scope="local")
    for i in T.unroll(4):
        for j in T.vectorized({lanes}):
            L[i, j] = T.float32(0)
    for k in range(100):
        for i in T.unroll(4):
            for j in T.vectorized({lanes}):
                {guard}
                    L[i, j] = L[i, j] + A[k] * B[k, j]
    for i in T.unroll(4):
        for j in T.vectorized({lanes}):
            C[i, j] = L[i, j]
"""
    module = tvmscript.build(tvmscript.from_source(text))
    assert "alloca" not in module.get_source("ll")
    generator = np.random.default_rng(0)
    a, b = generator.random(100).astype("float32"), generator.random((100, lanes)).astype("float32")
    c = np.ones((4, lanes), "float32")
    module(a, b, c)
    expected = a.astype("float64") @ b
    expected[lanes - 1 if tail else lanes :] = 0
    np.testing.assert_allclose(c, np.tile(expected, (4, 1)), rtol=1e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from((2, 3)), st.sampled_from((vectors, tails)))
def test_vectors_of_any_length(seed: int, level: int, family: object) -> None:
    kernel = vectors(random.Random(seed)) if family is vectors else tails(random.Random(seed))
    check(Text(kernel.text, level, "lowered", seed, kernel.sizes))
