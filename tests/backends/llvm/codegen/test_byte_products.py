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
from tvmscript.backends.llvm.target import Target
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
        # four vectors of sums in an iteration, then one, then a part of one
        (256 + 64 + 32 + 16, "uint8", "int8", "sapphirerapids", (6, 0, 0)),
        (16, "uint8", "int8", "sapphirerapids", (1, 0, 0)),
        # without masks, then half of one
        (128 + 32 + 16, "uint8", "int8", "alderlake", (0, 5, 1)),
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


SUMS = """
@T.prim_func
def main(A: T.Buffer(({size},), "{a}"), B: T.Buffer(({rows}, {size}), "{b}"), C: T.Buffer(({rows},), "int32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    S = T.allocate([{rows}], "int32", "local")
    S_1 = T.Buffer(({rows},), "int32", data=S, scope="local")
    for row in range({rows}):
        S_1[row] = C[row]
    for k in range({terms}):
        for row in T.unroll({rows}):
            S_1[row] = S_1[row] + T.Cast("int32", A[{first} + k]) * T.Cast("int32", B[row, k + {second}])
    for row in range({rows}):
        C[row] = S_1[row]
"""


@pytest.mark.parametrize("cpu", ["native", "alderlake"])
@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 200) | st.sampled_from([16, 63, 64, 128]),
    st.sampled_from([2, 3, 7, 8, 16, 19]),
    st.sampled_from(BYTES),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_several_sums(cpu: str, terms: int, rows: int, a: str, first: int, second: int) -> None:
    """Sums into consecutive elements are added side by side, in lanes of their own."""
    if cpu != "native" and not Target.parse("llvm").has_feature("avxvnni"):
        pytest.skip("this processor has no instruction for 32 bytes")
    rng, size = np.random.default_rng(terms), terms + 3
    left, right = numbers(rng, (size,), a), numbers(rng, (rows, size), "int8")
    text = SUMS.format(terms=terms, size=size, a=a, b="int8", first=first, second=second, rows=rows)
    c = np.arange(rows, dtype="int32") - 2
    expected = c + right[:, second : second + terms].astype("int64") @ left[first : first + terms].astype("int64")
    target = "llvm" if cpu == "native" else f"llvm -mtriple=x86_64-unknown-linux-gnu -mcpu={cpu}"
    tvmscript.build(tvmscript.from_source(text), target=target)["main"](left, right, c)
    np.testing.assert_array_equal(c, expected.astype("int32"))


def test_several_sums_share_their_vectors_of_terms() -> None:
    text = SUMS.replace("{rows}", "8")
    code = assembly(69, "uint8", "int8", "sapphirerapids", text)
    # a whole vector and a part of one for each row
    assert len(re.findall(r"vpdpbusd\s", code)) == 16
    assert len(re.findall(r"vpdpbusd\s", assembly(69, "int8", "int8", "sapphirerapids", text))) == 32


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
