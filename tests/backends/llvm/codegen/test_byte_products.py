"""Sums of products of bytes by instructions that add four to a lane."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends import llvm
from tvmscript.ir.transform.pipeline import lower_for_llvm

SUM = """
@T.prim_func
def main(A: T.Buffer(({size},), "{a}"), B: T.Buffer((3, {size}), "{b}"), C: T.Buffer((3,), "int32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for row in range(3):
        for k in range({terms}):
            C[row] = C[row] + T.Cast("int32", A[{first} + k]) * T.Cast("int32", B[row, k + {second}])
"""
BYTES = ["int8", "uint8"]


def numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> npt.NDArray[Any]:
    """Return bytes, the least and the greatest ones often."""
    info = np.iinfo(dtype)
    return np.where(
        rng.random(shape) < 0.5, rng.choice([info.min, info.max], shape), rng.integers(info.min, info.max + 1, shape)
    ).astype(dtype)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 300) | st.sampled_from([15, 16, 31, 32, 48, 63, 64, 112, 127, 128, 255, 256, 257, 512, 513]),
    st.sampled_from(BYTES),
    st.sampled_from(BYTES),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_values(terms: int, a: str, b: str, first: int, second: int) -> None:
    """Sums are added to the element before the loop, and do not saturate."""
    rng, size = np.random.default_rng(terms), terms + 3
    left, right = numbers(rng, (size,), a), numbers(rng, (3, size), b)
    text = SUM.format(terms=terms, size=size, a=a, b=b, first=first, second=second)
    c = np.array([7, -5, 2**31 - 1], "int32")
    expected = c + right[:, second : second + terms].astype("int64") @ left[first : first + terms].astype("int64")
    tvmscript.build(tvmscript.from_source(text))["main"](left, right, c)
    np.testing.assert_array_equal(c, expected.astype("int32"))


def assembly(terms: int, a: str, b: str, cpu: str, text: str = SUM) -> str:
    func = tvmscript.from_source(text.format(terms=terms, size=terms, a=a, b=b, first=0, second=0))
    module = tvmscript.ir.IRModule.from_expr(func)
    built = llvm.build(lower_for_llvm(module), target=f"llvm -mtriple=x86_64-unknown-linux-gnu -mcpu={cpu}")
    code: str = built.get_source("asm")
    return code


@pytest.mark.parametrize(
    ("terms", "a", "b", "cpu", "counts"),
    [
        # four vectors of sums in an iteration, then one, then half of one and a quarter
        (256 + 64 + 32 + 16, "uint8", "int8", "sapphirerapids", (5, 1, 1)),
        (256, "int8", "uint8", "icelake-server", (4, 0, 0)),
        # two vectors of sums, and two of what is too much
        (128, "int8", "int8", "sapphirerapids", (4, 0, 0)),
        (128, "uint8", "int8", "alderlake", (0, 4, 0)),
        (15, "uint8", "int8", "sapphirerapids", (0, 0, 0)),
        (128, "uint8", "uint8", "sapphirerapids", (0, 0, 0)),
        (128, "uint8", "int8", "haswell", (0, 0, 0)),
    ],
)
def test_instructions(terms: int, a: str, b: str, cpu: str, counts: tuple[int, int, int]) -> None:
    code = assembly(terms, a, b, cpu)
    found = tuple(len(re.findall(rf"vpdpbusd\s.*%{register}mm\d+$", code, re.MULTILINE)) for register in "zyx")
    assert found == counts


@pytest.mark.parametrize(
    "change",
    [
        # the sum is read as a factor, and the arrays may be one
        (' "int32")):\n    T.func_attr({{"tir.noalias": T.bool(True)}})', ' "int32")):'),
        ("C[row] = C[row] +", "C[row] = C[row] -"),
        ("A[{first} + k]", "A[{size} - 1 - k]"),
        ("B[row, k + {second}]", "B[k % 3, k]"),
    ],
)
def test_other_sums_stay(change: tuple[str, str]) -> None:
    assert change[0] in SUM
    assert "vpdpbusd" not in assembly(256, "uint8", "int8", "sapphirerapids", SUM.replace(*change))
