"""Inputs made from signatures are those of the oracle, draw by draw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.errors import UndecidedShape, UnsupportedDType
from tvmscript.backends.runtime.random_inputs import random_inputs

SOURCE = """
@T.prim_func
def main(a: T.handle, s: T.float32, B: T.Buffer((3, 5), "int8"), n: T.int32, k: T.int64, flag: T.bool,
         C: T.Buffer((4,), "bool"), D: T.Buffer((7,), "uint16"), E: T.Buffer((2, 2), "float16")):
    m = T.int32()
    A = T.match_buffer(a, (n, m, m * 2), "float64")
    T.evaluate(0)
"""


def test_drawn_in_order() -> None:
    rng = np.random.default_rng(3)
    made = random_inputs(tvmscript.from_source(SOURCE), seed=3, dims={"m": 2})
    assert [each.name for each in made] == ["A", "s", "B", "n", "k", "flag", "C", "D", "E"]
    values = [each.value for each in made]
    assert np.array_equal(values[0], rng.uniform(-1, 1, (16, 2, 4)))
    assert values[1] == rng.uniform(-1, 1)
    assert np.array_equal(values[2], rng.integers(-8, 8, (3, 5)).astype("int8"))
    assert values[3] == 16  # an extent: given, not drawn
    assert values[4] == rng.integers(0, 8)
    assert values[5] == bool(rng.integers(0, 2))
    assert np.array_equal(values[6], rng.integers(0, 2, 4).astype("bool"))
    assert np.array_equal(values[7], rng.integers(0, 16, 7).astype("uint16"))
    assert np.array_equal(values[8], rng.uniform(-1, 1, (2, 2)).astype("float16"))


@pytest.mark.oracle
def test_same_as_the_oracle(oracle: Any, tmp_path: Path) -> None:
    source = """
@T.prim_func
def main(a: T.handle, B: T.Buffer((3, 5), "int8"), s: T.float32, n: T.int32, D: T.Buffer((7,), "uint16"),
         E: T.Buffer((2, 2), "float16"), C: T.Buffer((4,), "bool")):
    T.func_attr({"global_symbol": "main"})
    A = T.match_buffer(a, (n,), "float64")
    for i in range(n):
        A[i] = A[i] + T.Cast("float64", s)
"""
    out = tmp_path / "r.npz"
    oracle.run(source, str(out), seed=5, dims={"n": 6})
    drawn = np.load(out)
    made = random_inputs(tvmscript.from_source(source), seed=5, dims={"n": 6})
    for number, each in enumerate(made):
        assert np.array_equal(drawn[f"in_{number}"], each.value), each.name


def test_dtypes_that_numpy_lacks() -> None:
    source = '@T.prim_func\ndef f(A: T.Buffer((64,), "bfloat16"), B: T.Buffer((2,), "float32x4")):\n    T.evaluate(0)\n'
    a, b = random_inputs(tvmscript.from_source(source))
    assert a.value.dtype == "bfloat16"
    assert np.all(np.abs(a.value.numpy()) <= 1)
    assert b.value.shape == (2, 4)


def test_strides() -> None:
    source = """
@T.prim_func
def f(a: T.handle, b: T.handle, c: T.handle):
    n, s = T.int32(), T.int32()
    A = T.match_buffer(a, (3, n), "int32", strides=(n + 2, 1))
    B = T.match_buffer(b, (2, 3), "int32", strides=(1, 4))
    C = T.match_buffer(c, (2, 3), "int32", strides=(s, 1))
    T.evaluate(0)
"""
    a, b, c = (each.value for each in random_inputs(tvmscript.from_source(source), dims={"n": 5}))
    assert (a.shape, a.strides) == ((3, 5), (28, 4))
    assert (b.shape, b.strides) == ((2, 3), (4, 16))
    # any strides will do
    assert (c.shape, c.strides) == ((2, 3), (12, 4))
    dense = source.replace(", strides=(n + 2, 1)", "")
    assert np.array_equal(a, random_inputs(tvmscript.from_source(dense), dims={"n": 5})[0].value)


def test_refusals() -> None:
    with pytest.raises(UnsupportedDType, match="the parameter p"):
        random_inputs(tvmscript.from_source("@T.prim_func\ndef f(p: T.handle):\n    T.evaluate(0)\n"))
    undecided = """
@T.prim_func
def f(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (T.popcount(n),), "float32")
    T.evaluate(0)
"""
    with pytest.raises(UndecidedShape, match="an extent that is a Call"):
        random_inputs(tvmscript.from_source(undecided))
