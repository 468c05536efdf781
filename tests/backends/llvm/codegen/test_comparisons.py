"""Masks of the first lanes of vectors: values, and where they are computed."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvmscript

SAPPHIRE_RAPIDS = "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids"


@pytest.mark.parametrize("lanes", [4, 8, 16, 32, 64])
def test_values_of_masks(lanes: int) -> None:
    """Numbers from below 0 to beyond the lanes, for ends before, among and behind them."""
    text = f"""
@T.prim_func
def main(C: T.Buffer((150, 150, {lanes}), "int32")):
    for i, j in T.grid(150, 150):
        C[i, j, 0:{lanes}] = T.Select(
            T.Ramp(i - 75, 1, {lanes}) < T.Broadcast(j - 75, {lanes}), T.Broadcast(7, {lanes}), T.Broadcast(-7, {lanes})
        )
"""
    c = np.zeros((150, 150, lanes), "int32")
    tvmscript.build(tvmscript.from_source(text))["main"](c)
    i, j, lane = np.ogrid[-75:75, -75:75, :lanes]
    np.testing.assert_array_equal(c, np.where(i + lane < j, 7, -7))


@pytest.mark.parametrize("lanes", [8, 32, 64])
def test_values_of_masks_under_a_condition(lanes: int) -> None:
    text = f"""
@T.prim_func
def main(C: T.Buffer((9, 150, {lanes}), "int32")):
    for i, j in T.grid(9, 150):
        C[i, j, 0:{lanes}] = T.Select(
            {{condition}}, T.Broadcast(7, {lanes}), T.Broadcast(-7, {lanes})
        )
"""
    whole, first = f"T.Broadcast(i % 3 == 1, {lanes})", f"T.Ramp(0, 1, {lanes}) < T.Broadcast(j - 50, {lanes})"
    i, j, lane = np.ogrid[:9, :150, :lanes]
    expected = np.where((i % 3 == 1) & (lane < j - 50), 7, -7)
    for condition in (f"T.And({whole}, {first})", f"T.And({first}, {whole})"):
        c = np.zeros((9, 150, lanes), "int32")
        module = tvmscript.from_source(text.format(condition=condition))
        tvmscript.build(module)["main"](c)
        np.testing.assert_array_equal(c, expected)
        # bits of an integer, which no vector is compared for
        source = tvmscript.build(module, target=SAPPHIRE_RAPIDS).get_source("input")
        assert f"to <{lanes} x i1>" in source
        assert f"icmp slt <{lanes} x" not in source


def test_sums_that_wrap_are_compared_as_they_are() -> None:
    """A number beyond the largest int32 is less than any end."""
    text = """
@T.prim_func
def main(first: T.int32, C: T.Buffer((16,), "int32")):
    C[0:16] = T.Select(T.Ramp(first, 1, 16) < T.Broadcast(5, 16), T.Broadcast(1, 16), T.Broadcast(0, 16))
"""
    c = np.zeros(16, "int32")
    tvmscript.build(tvmscript.from_source(text))["main"](2**31 - 3, c)
    np.testing.assert_array_equal(c, [0] * 3 + [1] * 13)


def test_masks_are_computed_outside_of_the_loop_over_terms() -> None:
    """127 columns are seven vectors and one of 15 lanes."""
    text = """
@T.prim_func
def main(A: T.Buffer((127, 127), "float32"), B: T.Buffer((127, 127), "float32"), C: T.Buffer((127, 127), "float32")):
    for i, j, k in T.grid(127, 127, 127):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
    assembly = tvmscript.build(tvmscript.from_source(text), target=SAPPHIRE_RAPIDS).get_source("asm")
    loops = re.findall(r"^(\.LBB\w+):\n((?:\t.*\n)*?\tj\w+\t\1\n)", assembly, re.MULTILINE)
    products = [body for _, body in loops if "vfmadd" in body]
    assert any(re.search(r"%zmm\d+ \{%k\d\} \{z\}", body) for body in products)
    assert not any("cmp" in line and "%k" in line for body in products for line in body.splitlines())
    assert not any("kmov" in body for body in products)


@pytest.mark.parametrize(
    ("end", "bounds"), [("63", ("smax",)), ("64", ("smin",)), ("65", ("smin",)), ("j", ("smin", "smax"))]
)
def test_lanes_are_bounded_where_they_may_be_too_few_or_too_many(end: str, bounds: tuple[str, ...]) -> None:
    """Of i from 0 to 64: a shift by 64 bits or more, or by less than 0, has no value."""
    text = f"""
@T.prim_func
def main(j: T.int32, C: T.Buffer((65, 16), "int32")):
    for i in range(65):
        C[i, 0:16] = T.Select(
            T.Ramp(i, 1, 16) < T.Broadcast({end}, 16), T.Broadcast(1, 16), T.Broadcast(0, 16)
        )
"""
    module = tvmscript.build(tvmscript.from_source(text), target=SAPPHIRE_RAPIDS)
    before, shift, _ = module.get_source("input").partition("shl nsw i64 -1")
    assert shift
    assert tuple(name for name in ("smin", "smax") if f"call i64 @llvm.{name}.i64" in before) == bounds
