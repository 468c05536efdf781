"""Random expressions over floats, integers and bool: compiled code and the interpreter agree bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.fuzz.codegen import area as codegen
from tvmscript.fuzz.codegen.area import Kernel, check
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing.lane_kernels import KINDS, ROWS, as_numbers, cast_kernels, different, lane_kernels, samples


@settings(max_examples=40)
@given(lane_kernels())
def test_same_as_the_interpreter(func: PrimFunc) -> None:
    """In 48 rows, with 1, 3, 4, 8 or 16 lanes."""
    check(Kernel(func, seed=len(func.params), levels=(2,)))


@settings(max_examples=40)
@given(cast_kernels(), st.integers(0, 2**32 - 1))
def test_casts(func: PrimFunc, seed: int) -> None:
    """Of numbers halfway between two of a narrower format, too: none is rounded twice."""
    check(Kernel(func, seed=seed, levels=(2,)))


def test_differences_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((48,), "e4m3_float8"), B: T.Buffer((48,), "e4m3_float8")):
    for i in range(48):
        B[i] = A[i]
"""
    kernel = Kernel(tvmscript.from_source(text), seed=1, levels=(0,))
    check(kernel)
    other = tvmscript.from_source(text.replace("range(48)", "range(47)")).with_attr("global_symbol", "main")
    monkeypatch.setattr(codegen, "lower_for_llvm", lambda module: IRModule({"main": other}))
    with pytest.raises(LevelsDisagree, match=r"LLVM at level 0 computes something else .*: B\[47\]"):
        check(kernel)


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_samples(dtype: DType) -> None:
    made = samples(dtype, ROWS, 3)
    assert np.array_equal(made, samples(dtype, ROWS, 3), equal_nan=made.dtype.kind == "f")
    assert len(np.unique(as_numbers(made, dtype))) > (1 if dtype.is_bool else 8)
    assert not len(different(made, made, dtype))
