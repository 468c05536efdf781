"""A kernel with asynchronous copies into permuted shared memory, pass by pass down to the instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

import tvmscript
from tvmscript.backends import interp
from tvmscript.ir.transform.registry import get_pass

KERNEL = """
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    for tx in T.thread_binding(0, 32, thread="threadIdx.x"):
        for i in T.serial(0, 8, annotations={
            "software_pipeline_stage": [0, 2],
            "software_pipeline_order": [0, 1],
            "software_pipeline_async_stages": [0],
        }):
            with T.block():
                T.reads(A[i * 8:i * 8 + 8, 0:64])
                T.writes(B[i * 8:i * 8 + 8, 0:64])
                S = T.alloc_buffer((8, 64), "float16", scope="shared")
                with T.block():
                    T.reads(A[i * 8:i * 8 + 8, 0:64])
                    T.writes(S[0:8, 0:64])
                    T.block_attr({"permuted_layout": 1})
                    for r in range(2):
                        for v in T.vectorized(8):
                            S[r * 4 + tx // 8, tx % 8 * 8 + v] = A[i * 8 + r * 4 + tx // 8, tx % 8 * 8 + v]
                with T.block():
                    T.reads(S[0:8, 0:64])
                    T.writes(B[i * 8:i * 8 + 8, 0:64])
                    T.block_attr({"permuted_layout": 1})
                    for r, v in T.grid(2, 8):
                        B[i * 8 + r * 4 + tx // 8, tx % 8 * 8 + v] = (
                            S[r * 4 + tx // 8, tx % 8 * 8 + v] + T.float16(1)
                        )
"""
PASSES = [
    "tir.InjectPermutedLayout", "tir.InjectSoftwarePipeline", "tir.LowerOpaqueBlock", "tir.FlattenBuffer",
    "tir.Simplify", "tir.VectorizeLoop", "tir.UnrollLoop", "tir.Simplify", "tir.StorageRewrite",
    "tir.InjectPTXAsyncCopy",
]  # fmt: skip


def test_values_at_every_stage() -> None:
    func: Any = tvmscript.from_source(KERNEL)
    a = np.random.default_rng(0).uniform(-1, 1, (64, 64)).astype("float16")
    for name in PASSES:
        func = get_pass(name)(func)
        b = np.zeros((64, 64), "float16")
        interp.build(func.with_attr("global_symbol", "main"))["main"](a, b)
        np.testing.assert_array_equal(b, a + np.float16(1), err_msg=name)
    text = func.script()
    assert text.count("T.ptx_cp_async(") == 3  # two iterations that fill the pipeline, and the loop
    waits = [int(line.split(", ")[2].rstrip("):")) for line in text.splitlines() if "inflight_count" in line]
    assert waits == [2, 1, 0]
    assert "A[" not in text  # everything comes by asynchronous copies
