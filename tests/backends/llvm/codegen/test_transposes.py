"""Tiles that are transposed by an exchange of lanes: which ones, and their values."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tests.backends.llvm.kernels import build_text

NOALIAS = '"tir.noalias": T.bool(True)'


def program(lanes: int, dtype: str, rows: int, columns: int, column: str = "j", attrs: str = NOALIAS) -> str:
    shape, other = (rows * lanes, columns * lanes), (columns * lanes, rows * lanes)
    return f"""
@T.prim_func
def main(A: T.Buffer({shape}, "{dtype}"), C: T.Buffer({other}, "{dtype}")):
    T.func_attr({{{attrs}}})
    for jo, io in T.grid({columns}, {rows}):
        for j in T.unroll({lanes}):
            for v in T.vectorized({lanes}):
                C[jo * {lanes} + {column}, io * {lanes} + v] = A[io * {lanes} + v, jo * {lanes} + {column}]
"""


def tile_program(rows: int, columns: int, dtype: str) -> str:
    """Return the transpose of one tile, the arrays of which end with it."""
    return f"""
@T.prim_func
def main(A: T.Buffer(({rows}, {columns}), "{dtype}"), C: T.Buffer(({columns}, {rows}), "{dtype}")):
    T.func_attr({{{NOALIAS}}})
    for j in T.unroll({columns}):
        for v in T.vectorized({rows}):
            C[j, v] = A[v, j]
"""


def gathers(text: str, target: str = "llvm -mcpu=x86-64") -> bool:
    """Return whether columns are gathered, by one instruction or by elements."""
    source = build_text(text, target).get_source("input")
    return re.search(r"@llvm\.masked\.gather|insertelement .*, i32 1$", source, re.MULTILINE) is not None


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from((4, 8, 16)),
    st.sampled_from(("float32", "float64", "int8", "float16", "uint16", "int32", "bool")),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from(("llvm", "llvm -mcpu=haswell", "llvm -mcpu=x86-64")),
    st.integers(0, 2**32 - 1),
)
def test_values(lanes: int, dtype: str, rows: int, columns: int, target: str, seed: int) -> None:
    a = np.random.default_rng(seed).integers(0, 100, (rows * lanes, columns * lanes)).astype(dtype)
    c = np.zeros(a.T.shape, dtype)
    build_text(program(lanes, dtype, rows, columns), target)(a, c)
    np.testing.assert_array_equal(c, a.T)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 20),
    st.integers(2, 40),
    st.sampled_from(("float32", "float64", "float16", "int8", "int32")),
    st.sampled_from(("llvm", "llvm -mcpu=haswell", "llvm -mcpu=x86-64")),
)
def test_tiles_that_are_not_square(rows: int, columns: int, dtype: str, target: str) -> None:
    memory = np.arange(2 * rows * columns + 128).astype(dtype)
    a, c = memory[: rows * columns].reshape(rows, columns), memory[rows * columns + 64 :]
    before = c[rows * columns :].copy()
    build_text(tile_program(rows, columns, dtype), target)(a, c[: rows * columns].reshape(columns, rows))
    np.testing.assert_array_equal(c[: rows * columns].reshape(columns, rows), a.T)
    np.testing.assert_array_equal(c[rows * columns :], before)


def test_columns_that_fill_no_tile() -> None:
    """LLVM 22 ended the process: it blended halves that a gather had read."""
    text = """
@T.prim_func
def main(A: T.Buffer((19, 50), "float16"), C: T.Buffer((50, 19), "float16")):
    T.func_attr({"tir.noalias": T.bool(True)})
    for i, j in T.grid(50, 19):
        with T.block("C"):
            v_i, v_j = T.axis.remap("SS", [i, j])
            C[v_i, v_j] = A[v_j, v_i]
"""
    a, c = np.arange(19 * 50, dtype="float16").reshape(19, 50), np.zeros((50, 19), "float16")
    build_text(text, "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=znver4").get_source("asm")
    build_text(text)(a, c)
    np.testing.assert_array_equal(c, a.T)


def test_what_is_transposed_in_registers() -> None:
    assert not gathers(program(8, "float32", 2, 2))
    assert not gathers(program(8, "int8", 2, 2), "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4")
    assert not gathers(program(16, "float32", 2, 2), "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4")
    # masks complete other tiles
    assert not gathers(tile_program(7, 9, "float32"), "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4")
    assert not gathers(tile_program(7, 9, "int8"), "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4")
    assert gathers(tile_program(7, 9, "int8"), "llvm -mtriple=x86_64-linux-gnu -mcpu=haswell")
    assert gathers(tile_program(7, 8, "float32"), "llvm -mcpu=x86-64")
    # other pointers may reach the result
    assert gathers(program(8, "float32", 2, 2, attrs='"a": 1'))
    # columns that are no neighbours
    assert gathers(program(8, "float32", 2, 2, "(j * 3 % 8)"))


def test_long_transposes_have_fences() -> None:
    """LLVM takes the four steps of 16 rows apart again and again, but not those of 8."""
    target = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4"
    for lanes, count in ((8, 0), (16, 32)):
        text = build_text(program(lanes, "float32", 1, 1), target).get_source("input")
        assert text.count("@llvm.arithmetic.fence.v16f32(<16 x float> %") == count


def test_squares_share_a_routine() -> None:
    target = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4"
    calls = {8: 4, 4: 0}  # squares of 4 rows are a few shuffles
    for lanes, count in calls.items():
        text = f"""
@T.prim_func
def main(A: T.Buffer(({lanes}, {4 * lanes}), "float32"), C: T.Buffer(({4 * lanes}, {lanes}), "float32")):
    T.func_attr({{{NOALIAS}}})
    for j in T.unroll({4 * lanes}):
        for v in T.vectorized({lanes}):
            C[j, v] = A[v, j]
"""
        assembly = build_text(text, target).get_source("input")
        assert assembly.count("call x86_regcallcc") == count
        assert assembly.count("define internal x86_regcallcc") == min(count, 1)


@pytest.mark.parametrize(("rows", "columns", "masked"), [(9, 16, 1), (7, 8, 1), (5, 9, 9)])
def test_rows_that_follow_each_other_need_one_mask(rows: int, columns: int, masked: int) -> None:
    """A store replaces what the one before it writes behind its row, unless that reaches further."""
    target = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4"
    text = build_text(tile_program(rows, columns, "float32"), target).get_source("input")
    assert text.count("call void @llvm.masked.store") == masked


@pytest.mark.parametrize("column", ["j * 3 % 8", "7 - j"])
def test_columns_in_another_order(column: str) -> None:
    a = np.arange(16 * 16, dtype="float32").reshape(16, 16)
    c = np.zeros_like(a)
    build_text(program(8, "float32", 2, 2, f"({column})"), "llvm -mcpu=x86-64")(a, c)
    np.testing.assert_array_equal(c, a.T)


def test_in_place() -> None:
    """Each statement reads what those before it have stored."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((8, 8), "float32")):
    T.func_attr({{{NOALIAS}}})
    for j in T.unroll(8):
        for v in T.vectorized(8):
            A[j, v] = A[v, j]
"""
    results = [np.arange(64, dtype="float32").reshape(8, 8) for _ in range(2)]
    for target, result in zip(("llvm -mcpu=x86-64", "interp"), results, strict=True):
        lowered = tvmscript.lower(tvmscript.from_source(text), "llvm")
        tvmscript.build(lowered, target=target)(result)
    np.testing.assert_array_equal(results[0], results[1])


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 9), st.integers(0, 9), st.sampled_from(("llvm", "llvm -mcpu=x86-64-v3")))
def test_columns_under_a_condition(columns: int, count: int, target: str) -> None:
    """One test of the condition chooses between a tile and other values."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((16, {columns}), "float32"), C: T.Buffer((2, {columns}, 8), "float32"), n: T.int32):
    T.func_attr({{{NOALIAS}}})
    for i in range(2):
        for j in T.unroll({columns}):
            for v in T.vectorized(8):
                C[i, j, v] = T.if_then_else(i * 8 < n, A[i * 8 + v, j], T.float32(j))
"""
    a, c = np.random.default_rng(0).random((16, columns), "float32"), np.zeros((2, columns, 8), "float32")
    build_text(text, target)["main"](a, c, count)
    others = np.broadcast_to(np.arange(columns, dtype="float32")[:, None], (columns, 8))
    for i in range(2):
        np.testing.assert_array_equal(c[i], a[i * 8 : i * 8 + 8].T if i * 8 < count else others)
    if columns == 8:
        assert not gathers(text, "llvm -mcpu=x86-64-v3")
