"""Reductions over threads: TVM's code for many shapes of blocks, and the values that come out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.tir import IntImm
from tvmscript.ir.transform.threads.lower_thread_allreduce.allreduce import Group
from tvmscript.ir.transform.threads.lower_thread_allreduce.lower_thread_allreduce import LowerThreadAllreduce


def program(y: int, x: int, over: str, target: str, dtype: str = "int32", condition: str = "T.bool(True)") -> str:
    """Each group of threads sums what its threads have of A."""
    return f"""
@T.prim_func
def main(A: T.Buffer(({2 * y * x},), "{dtype}"), B: T.Buffer(({2 * y * x},), "{dtype}")):
    T.func_attr({{"global_symbol": "main", "target": T.target("{target}")}})
    bx = T.launch_thread("blockIdx.x", 2)
    r = T.allocate([1], "{dtype}", "local")
    ty = T.launch_thread("threadIdx.y", {y})
    tx = T.launch_thread("threadIdx.x", {x})
    r1 = T.Buffer((1,), "{dtype}", data=r, scope="local")
    with T.attr(
        T.comm_reducer(lambda a, b: a + b, [T.{dtype}(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))
    ):
        T.tvm_thread_allreduce(T.uint32(1), A[bx * {y * x} + ty * {x} + tx], {condition}, r1[0], {over})
    B[bx * {y * x} + ty * {x} + tx] = r1[0]
"""


_SHAPES = [(1, 32, "tx"), (1, 5, "tx"), (1, 64, "tx"), (1, 33, "tx"), (2, 16, "tx"), (4, 8, "ty"), (4, 8, "tx, ty"),
           (3, 7, "tx"), (2, 64, "tx"), (8, 3, "tx, ty")]  # fmt: skip


@pytest.mark.parametrize("target", ["cuda", "metal", "opencl"])
@pytest.mark.parametrize(("y", "x", "over"), _SHAPES)
def test_values(y: int, x: int, over: str, target: str) -> None:
    func = tvmscript.from_source(program(y, x, over, target))
    given = np.random.default_rng(0).integers(-9, 9, 2 * y * x).astype("int32")
    made = np.zeros(2 * y * x, "int32")
    interp.build(LowerThreadAllreduce()(func))["main"](given, made)
    axes: tuple[int, ...] = {"tx": (2,), "ty": (1,), "tx, ty": (1, 2)}[over]
    parts = given.reshape(2, y, x)
    expected = np.broadcast_to(parts.sum(axis=axes, keepdims=True), parts.shape)
    np.testing.assert_array_equal(made.reshape(2, y, x), expected)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8"])
@pytest.mark.parametrize("target", ["cuda", "metal", "rocm -mcpu=gfx908", "vulkan"])
@pytest.mark.oracle
def test_tvm_gives_the_same(dtype: str, target: str, oracle: Any) -> None:
    """For every shape of block; with and without a condition."""
    for number, (y, x, over) in enumerate(_SHAPES):
        condition = "tx < 3" if number % 2 else "T.bool(True)"
        text = oracle.print(program(y, x, over, target, dtype, condition), check=False)
        read = tvmscript.from_source(oracle.apply("tir.LowerThreadAllreduce", text, check=False))
        theirs = read["main"] if isinstance(read, IRModule) else read
        assert structural_equal(LowerThreadAllreduce()(tvmscript.from_source(text)), theirs), (y, x, over)


@pytest.mark.parametrize(
    ("target", "dtypes", "extent", "expected"),
    [
        # an extent that warps of 32 threads consist of, or that consists of warps
        ("cuda", "float32", 32, True),
        ("cuda", "float32", 8, True),
        ("cuda", "float32", 64, True),
        ("cuda", "float32", 24, True),
        ("cuda", "float32", 48, False),
        ("cuda", "float32", 1, False),
        ("cuda", "float16", 32, True),
        ("cuda", "float64", 32, True),
        ("cuda", "int8", 32, False),
        ("cuda", "int32, int8", 32, False),
        ("cuda", "float32x2", 32, False),
        ("metal", "float32", 32, True),
        ("opencl", "float32", 32, False),
        # of rocm a whole warp of 64 threads, and 32 bits
        ("rocm -mcpu=gfx908", "float32", 64, True),
        ("rocm -mcpu=gfx908", "float32", 32, False),
        ("rocm -mcpu=gfx908", "float16", 64, False),
        ("rocm -mcpu=gfx908", "float32, int64", 64, False),
        ("rocm -mcpu=gfx908", "float16x2", 64, False),
    ],
)
def test_which_groups_are_reduced_by_shuffles(target: str, dtypes: str, extent: int, expected: bool) -> None:
    kinds = [DType(dtype) for dtype in dtypes.split(", ")]
    group = Group(IntImm("int32", 0), extent, IntImm("int32", 0), 1, extent)
    assert group.fits_warps(kinds, Target(target)) is expected
    assert not replace(group, contiguous=extent // 2).fits_warps(kinds, Target(target))


@pytest.mark.parametrize(("groups", "expected"), [(1, True), (2, False)])
def test_a_part_of_a_warp_is_alone_in_its_block(groups: int, expected: bool) -> None:
    group = Group(IntImm("int32", 0), 24, IntImm("int32", 0), groups, 24)
    assert group.fits_warps([DType("float32")], Target("cuda")) is expected
