"""Sums of products of narrow integers, in pairs; hints of loops for LLVM's vectorizer."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import llvm
from tvmscript.ir.transform.pipeline import lower_for_llvm

ROW = """
@T.prim_func
def main(A: T.Buffer(({terms},), "{a}"), B: T.Buffer(({terms},), "{b}"), C: T.Buffer((1,), "int32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    C[0] = 0
    for k in range({terms}):
        C[0] = C[0] + T.Cast("int32", A[k]) * T.Cast("int32", B[k])
"""


def asm_of(terms: int, a: str, b: str) -> str:
    func = tvmscript.from_source(ROW.format(terms=terms, a=a, b=b))
    module = tvmscript.ir.IRModule.from_expr(func)
    built = llvm.build(lower_for_llvm(module), target="llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=haswell")
    text: str = built.get_source("asm")
    return text


@pytest.mark.parametrize(("a", "b"), [("int8", "int8"), ("uint8", "int8"), ("int16", "int16")])
def test_pairs_of_products_fill_vectors(a: str, b: str) -> None:
    assert re.search(r"vpmaddwd\t.*%ymm", asm_of(500, a, b))


def test_unsigned_numbers_of_16_bits_are_not_paired() -> None:
    assert "vpmaddwd" not in asm_of(500, "uint16", "int16")


@pytest.mark.parametrize("terms", [31, 32, 45, 1000])
def test_values(terms: int) -> None:
    rng = np.random.default_rng(terms)
    a, b = (rng.integers(-128, 128, terms).astype("int8") for _ in range(2))
    c = np.zeros(1, "int32")
    tvmscript.build(tvmscript.from_source(ROW.format(terms=terms, a="int8", b="int8")))["main"](a, b, c)
    assert c[0] == a.astype("int64") @ b.astype("int64")
