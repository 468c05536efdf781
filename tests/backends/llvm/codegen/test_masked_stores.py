"""Stores of the first lanes of a vector: shorter vectors where masks are no operands of instructions."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.fuzz.guard_pages import guarded

TEXT = """
@T.prim_func
def main(A: T.Buffer((8,), "{dtype}"), B: T.Buffer(({size},), "{dtype}"), n: T.int32):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    B.vstore([T.Ramp({start}, 1, 8)], A[0:8], predicate=T.Ramp({first}, 1, 8) < T.Broadcast({end}, 8))
"""


def text_of(dtype: str, active: int, end: str = "") -> str:
    return TEXT.format(dtype=dtype, size=3 + active, start=3, first=2, end=end or f"{active + 2}")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "float16", "bool"])
@pytest.mark.parametrize("active", range(1, 9))
def test_first_lanes(dtype: str, active: int) -> None:
    """Nothing behind the last element is written: it is on another page."""
    built = tvmscript.build(tvmscript.from_source(text_of(dtype, active)), target="llvm -mcpu=x86-64-v3")
    assert "masked.store" not in built.get_source("input")
    a = (np.arange(8) % 3 + 1).astype(dtype)
    b = guarded(np.zeros(3 + active, dtype), is_behind=True)
    built["main"](a, b, 0)
    np.testing.assert_array_equal(b, [*np.zeros(3, dtype), *a[:active]])


def test_no_lane() -> None:
    built = tvmscript.build(tvmscript.from_source(text_of("float32", 1, "2")), target="llvm -mcpu=x86-64-v3")
    b = np.zeros(4, "float32")
    built["main"](np.ones(8, "float32"), b, 0)
    assert not b.any()


@pytest.mark.parametrize(("end", "cpu"), [("n", "x86-64-v3"), ("5", "x86-64-v4")])
def test_other_masks_stay(end: str, cpu: str) -> None:
    """A number of lanes that is known at run time, and processors that have registers for masks."""
    built = tvmscript.build(tvmscript.from_source(text_of("float32", 8, end)), target=f"llvm -mcpu={cpu}")
    assert "masked.store" in built.get_source("input")


@pytest.mark.parametrize("active", [1, 2, 3, 16])
@pytest.mark.parametrize("lanes", [8, 16])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "bfloat16"])
def test_nothing_is_written_behind_narrowed_elements(dtype: str, lanes: int, active: int) -> None:
    """LLVM 22 stored four bytes of a truncated element, where a mask has one lane (AVX-512)."""
    active = min(active, lanes)
    wide = "float32" if dtype == "bfloat16" else "int32"
    text = f"""
@T.prim_func
def main(A: T.Buffer(({lanes},), "{wide}"), B: T.Buffer(({3 + active},), "{dtype}")):
    B.vstore(
        [T.Ramp(3, 1, {lanes})], T.Cast("{dtype}x{lanes}", A[0:{lanes}]),
        predicate=T.Ramp(3, 1, {lanes}) < T.Broadcast({3 + active}, {lanes}),
    )
"""
    a = np.arange(1, lanes + 1).astype(wide)
    memory = np.full(11 + active, 77, "uint16" if dtype == "bfloat16" else dtype)
    tvmscript.build(tvmscript.from_source(text))["main"](a, memory[: 3 + active])
    want = a.view("uint32") >> 16 if dtype == "bfloat16" else a
    np.testing.assert_array_equal(memory, [77] * 3 + [*want[:active]] + [77] * 8)
