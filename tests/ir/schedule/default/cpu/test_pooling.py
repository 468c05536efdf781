"""Default schedules of pooling: values of all shapes, and what is left alone."""

from __future__ import annotations

import random

import numpy as np
import pytest

import tvmscript
from benchmarks.convolution_programs import Pooling, draw_pooling
from tests.ir.schedule.default.test_matmul import block_of
from tvmscript.ir.schedule.default.cpu.windows import match_windows
from tvmscript.ir.tir import PrimFunc


def check(shape: Pooling, target: str = "llvm", seed: int = 0) -> None:
    """Compare the built program with the float64 result."""
    values = shape.arguments(np.random.default_rng(seed))
    tvmscript.build(tvmscript.from_source(shape.text()), target=target)["main"](*values)
    np.testing.assert_allclose(values[1], shape.expected(values[0]), rtol=1e-5, atol=1e-3, err_msg=shape.name)


@pytest.mark.parametrize("seed", range(20))
def test_values_of_random_shapes(seed: int) -> None:
    check(draw_pooling(random.Random(seed)), seed=seed)


@pytest.mark.parametrize("target", ["llvm", "llvm -mcpu=haswell", "llvm -mcpu=x86-64"])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("is_max", [True, False])
def test_other_vectors(is_max: bool, layout: str, target: str) -> None:
    check(Pooling(is_max, 1, 9, (23, 19), (3, 3), 2, 1, layout), target)


def test_terms_keep_their_order() -> None:
    """Sums have the bits of the plain loops."""
    shape = Pooling(False, 1, 5, (17, 33), (5, 5), 1, 2)
    outputs = []
    for default_schedule in (False, True):
        values = shape.arguments(np.random.default_rng(0))
        tvmscript.build(tvmscript.from_source(shape.text()), default_schedule=default_schedule)["main"](*values)
        outputs.append(values[1])
    np.testing.assert_array_equal(*outputs)


def test_what_has_windows() -> None:
    text = Pooling(True, 2, 8, (9, 9), (3, 3), 2).text()
    windows = match_windows(block_of(tvmscript.from_source(text)))
    assert windows is not None
    assert windows.lane.name == "v3"
    assert [axis.name for axis in windows.pixels] == ["v2"]
    assert [axis.name for axis in windows.others] == ["v0", "v1"]
    for other in (
        text.replace("v3 * 2 + vk3]", "v3 * 5 + vk3]"),  # too far from lane to lane
        text.replace("v3 * 2 + vk3]", "(v3 * 2 + vk3) % 9]"),
        text.replace("v2 * 2 + vk2, v3 * 2 + vk3", "v3 * 2 + vk3, v2 * 2 + vk2"),
        Pooling(True, 2, 8, (9, 9), (9, 9)).text(),  # one window
    ):
        assert other != text
        block = match_windows(block_of(tvmscript.from_source(other)))
        assert block is None or block.extents[block.lane] == 8


def test_axis_of_one_element() -> None:
    """Added to another axis, it makes no window of it."""
    text = Pooling(True, 2, 8, (9, 9), (3, 3), 2).text()
    for old, new in (
        ("k2, k3 in T.grid(2, 8, 4, 4, 3, 3)", "k1, k2, k3 in T.grid(2, 8, 4, 4, 1, 3, 3)"),
        ("vk2, vk3 =", "vk1, vk2, vk3 ="),
        ('"SSSSRR", [l0, l1, l2, l3, k2', '"SSSSRRR", [l0, l1, l2, l3, k1, k2'),
        ("X[v0, v1,", "X[v0, v1 + vk1,"),
    ):
        assert old in text
        text = text.replace(old, new)
    windows = match_windows(block_of(tvmscript.from_source(text)))
    assert windows is not None
    assert [axis.name for axis in windows.others] == ["v0", "v1"]


def test_scalars_are_the_same_for_all_lanes() -> None:
    """A sum of all elements minus a scalar, as zero points of quantized tensors are."""
    text = """
@T.prim_func
def main(A: T.Buffer((4, 6), "uint8"), Z: T.Buffer((), "int32"), S: T.Buffer((6,), "int32")):
    for j, i in T.grid(6, 4):
        with T.block("S"):
            vj, vi = T.axis.remap("SR", [j, i])
            with T.init():
                S[vj] = 0
            S[vj] = S[vj] + (T.Cast("int32", A[vi, vj]) - Z[()])
"""
    program = tvmscript.from_source(text)
    assert isinstance(program, PrimFunc)
    assert match_windows(block_of(program)) is None
    a, z, total = np.arange(24, dtype="uint8").reshape(4, 6), np.array(3, "int32"), np.zeros(6, "int32")
    tvmscript.build(program)["main"](a, z, total)
    np.testing.assert_array_equal(total, a.sum(0, dtype="int32") - 12)
