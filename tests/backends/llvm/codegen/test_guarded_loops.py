"""Conditions of loop bodies that become bounds: the same values, and which loops change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends import llvm
from tvmscript.backends.llvm.codegen.guarded_loops import NarrowLoops
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import IfThenElse, PrimFunc, Var

#: the same on every Python
pytestmark = pytest.mark.long


def program(condition: str, outer: str = "o", extent: str = "7") -> str:
    return f"""
@T.prim_func
def main(a: T.handle, n: T.int32, s: T.int32):
    A = T.match_buffer(a, (64,), "int32")
    for {outer} in range(8):
        for i in range({extent}):
            if {condition}:
                A[o * 8 + i] = A[o * 8 + i] + i + 1
"""


def conditions_left(text: str) -> int:
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["main"]
    assert isinstance(func, PrimFunc)
    return sum(isinstance(node, IfThenElse) for node in nodes(NarrowLoops().rewrite(func.body)))


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("o * 7 + i < n", 0),
        ("i < n", 0),
        ("o * 2 + i // 3 < 9", 0),
        ("n < s", 1),  # before both loops
        ("o * 7 + i < n and o < s", 0),
        ("n < i", 1),
        ("s + i < n", 1),  # s may be negative: the difference might wrap around
        ("i * 2 < n", 1),
        ("o * 2 + i // 3 < n", 1),
        ("A[0] < n", 1),
    ],
)
def test_conditions(condition: str, left: int) -> None:
    text = program(condition)
    assert conditions_left(text) == left
    for n in (-(2**31), -1, 0, 1, 5, 50, 2**31 - 1):
        for s in (-3, 0, 4, 2**31 - 8):
            check(text, n, s)


def test_sizes_of_arrays_are_not_negative() -> None:
    text = """
@T.prim_func
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    for i in range(8):
        if n // 8 * 4 + i < n:
            A[n // 8 * 4 + i] = i
"""
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["main"]
    assert isinstance(func, PrimFunc)
    (size,) = [extent for buffer in func.buffer_map.values() for extent in buffer.shape if isinstance(extent, Var)]
    for sizes, left in (((), 1), ((size,), 0)):
        assert sum(isinstance(node, IfThenElse) for node in nodes(NarrowLoops(sizes).rewrite(func.body))) == left
    for count in (1, 7, 8, 9, 23):
        result = np.zeros(count, "int32")
        llvm.build(tvmscript.lower(tvmscript.from_source(text), "llvm"))["main"](result)
        expected = ([0] * (count // 8 * 4) + [*range(8)] + [0] * count)[:count]
        np.testing.assert_array_equal(result, expected)


def check(text: str, n: int, s: int) -> None:
    """Compare with the interpreter."""
    func = tvmscript.from_source(text)
    expected, result = np.zeros(64, "int32"), np.zeros(64, "int32")
    tvmscript.build(func, target="interp")["main"](expected, n, s)
    llvm.build(tvmscript.lower(func, "llvm"))["main"](result, n, s)
    np.testing.assert_array_equal(result, expected)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(("o * 5 + i < n", "i < s", "o < n", "i // 2 < 3", "3 + i < 9", "i != 2", "s < n")),
        min_size=1,
        max_size=3,
    ),
    st.integers(-5, 60),
    st.integers(-5, 60),
    st.sampled_from(("7", "T.min(n, 7)")),
)
def test_values(parts: list[str], n: int, s: int, extent: str) -> None:
    check(program(" and ".join(parts), extent=extent), n, s)
