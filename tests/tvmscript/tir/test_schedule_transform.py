"""`tvm.tir.schedule.analysis` and `tvm.tir.schedule.transform`: results as TVM 0.17 gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tvmscript as tvm
from tvmscript import tir
from tvmscript.ir.schedule.intrinsics.registry import TensorIntrin
from tvmscript.tir.schedule.analysis import (
    get_tensorize_loop_mapping,
    has_block,
    is_output_block,
    suggest_index_map,
)
from tvmscript.tir.schedule.transform import tile_with_tensor_intrin
from tvmscript.tir.tensor_intrin import WMMA_SYNC_16x16x16_f16f16f32_INTRIN

TEXT = """
@T.prim_func
def matmul(A: T.Buffer(({m}, {k}), "float16"), B: T.Buffer(({k}, {n}), "float16"), C: T.Buffer(({m}, {n}), "float32")):
    for i, j, k in T.grid({m}, {n}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
"""


def schedule(m: int, n: int, k: int) -> tvm.Schedule:
    return tvm.Schedule(tvm.from_source(TEXT.format(m=m, n=n, k=k)))


def loop_names(sch: tvm.Schedule) -> list[str]:
    return [sch.get(loop).loop_var.name for loop in sch.get_loops("C")]


def test_loops_of_an_intrinsic() -> None:
    sch = schedule(64, 32, 16)
    block, desc = sch.get_block("C"), TensorIntrin.get(WMMA_SYNC_16x16x16_f16f16f32_INTRIN).desc
    info = get_tensorize_loop_mapping(sch, block, desc)
    assert info is not None
    assert [(ref.loop.loop_var.name, str(loop.extent)) for ref, loop in info.loop_map.items()] == [
        ("i", "16"), ("j", "16"), ("k", "16"),
    ]  # fmt: skip
    assert list(info.desc_loop_indexer.values()) == [0, 1, 2]
    assert info.block_iter_paddings is None


@pytest.mark.parametrize("prepare", [lambda sch: sch.split(sch.get_loops("C")[0], [None, 8])])
def test_loops_that_do_not_fit(prepare: Callable[[tvm.Schedule], Any]) -> None:
    sch = schedule(64, 64, 64)
    prepare(sch)
    assert tile_with_tensor_intrin(sch, sch.get_block("C"), WMMA_SYNC_16x16x16_f16f16f32_INTRIN) is None


def test_tile() -> None:
    sch = schedule(64, 32, 16)
    outermost = tile_with_tensor_intrin(sch, sch.get_block("C"), WMMA_SYNC_16x16x16_f16f16f32_INTRIN)
    assert outermost is not None
    assert sch.get(outermost).loop_var.name == "i_1"
    assert loop_names(sch) == ["i_0", "j_0", "k_0", "i_1", "j_1", "k_1"]
    sch = schedule(64, 64, 64)
    i, j, k = sch.get_loops("C")
    sch.reorder(k, i, j)
    tile_with_tensor_intrin(sch, sch.get_block("C"), WMMA_SYNC_16x16x16_f16f16f32_INTRIN)
    assert loop_names(sch) == ["k_0", "i_0", "j_0", "i_1", "j_1", "k_1"]


def test_tile_padded() -> None:
    sch = schedule(60, 33, 17)
    block = sch.get_block("C")
    assert tile_with_tensor_intrin(sch, block, WMMA_SYNC_16x16x16_f16f16f32_INTRIN) is None
    sch.cache_write(block, 0, "local")
    sch.cache_read(block, 0, "local")
    tile_with_tensor_intrin(sch, block, WMMA_SYNC_16x16x16_f16f16f32_INTRIN, allow_padding=True)
    extents = [str(sch.get(loop).extent) for loop in sch.get_loops(block)]
    assert " ".join(extents) == "4 3 2 16 16 16"
    assert has_block(sch, "B_pad")
    assert not has_block(sch, "C_pad")
    assert [is_output_block(sch, sch.get_block(name)) for name in ("C", "C_local")] == [False, True]


@pytest.mark.parametrize(
    ("shape", "indices", "loops", "expected"),
    [
        (
            [1024, 1024],
            lambda a, b, c, d: [a * 16 + c, b * 16 + d],
            [64, 64, 16, 16],
            "lambda i0, i1: (i0 // 16, i1 // 16, i0 % 16, i1 % 16), "
            "inverse_index_map=lambda i0, i1, i2, i3: (i0 * 16 + i2, i1 * 16 + i3)",
        ),
        (
            [32, 16],
            lambda a, b, c: [b, a * 4 + c],
            [4, 32, 4],
            "lambda i0, i1: (i1 // 4, i0, i1 % 4), inverse_index_map=lambda i0, i1, i2: (i1, i0 * 4 + i2)",
        ),
        (
            [32, 16],
            lambda a, b: [b, a * 4],
            [4, 32],
            "lambda i0, i1: (i1 % 4, i0 % 8 * 4 + i1 // 4), "
            "inverse_index_map=lambda i0, i1: (i1 // 4, i1 % 4 * 4 + i0)",
        ),
        (
            [32, 16],
            lambda a: [a // 16, a % 16],
            [512],
            "lambda i0, i1: (i0 * 16 + i1,), inverse_index_map=lambda i0: (i0 // 16, i0 % 16)",
        ),
        (
            [16, 4],
            lambda a, b: [a // 4 * 4 + b, a % 4],
            [16, 4],
            "lambda i0, i1: (i0 // 4, i1, i0 % 4), inverse_index_map=lambda i0, i1, i2: (i0 * 4 + i2, i1)",
        ),
        ([16, 4], lambda r, a, b: [a * 4 + b, 0], [16, 4, 4],
         "lambda i0, i1: (i0 % 4, i1), inverse_index_map=lambda i0, i1: (i0, i1)"),
        ([16], lambda a, b: [a * b], [4, 4], None),
    ],
)  # fmt: skip
def test_suggest_index_map(
    shape: list[int], indices: Callable[..., list[Any]], loops: list[int], expected: str | None
) -> None:
    variables = [tir.Var(f"i{place}", "int32") for place in range(len(loops))]
    body = tir.Evaluate(tir.const(0))
    nest = [
        tir.For(var, tir.const(0), tir.const(extent), tir.ForKind.SERIAL, body)
        for var, extent in zip(variables, loops, strict=True)
    ]
    layout = suggest_index_map(tir.decl_buffer(shape), indices(*variables), nest, tir.const(True, "bool"))
    assert (None if layout is None else str(layout)) == (None if expected is None else f"T.index_map({expected})")
