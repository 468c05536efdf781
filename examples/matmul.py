"""Matrix multiplication: once as a computation, once with its loops arranged for a CPU.

Run it with `tvmscript run examples/matmul.py`.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from tvmscript import I, T

Matrix = NDArray[np.float32]


@I.ir_module
class Matmul(I.Module):
    @T.prim_func
    def matmul(
        A: Annotated[T.Buffer, (64, 64), "float32"],
        B: Annotated[T.Buffer, (64, 64), "float32"],
        C: Annotated[T.Buffer, (64, 64), "float32"],
    ) -> None:
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i, j, k in T.grid(64, 64, 64):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func
    def tiled(
        A: Annotated[T.Buffer, (512, 512), "float32"],
        B: Annotated[T.Buffer, (512, 512), "float32"],
        C: Annotated[T.Buffer, (512, 512), "float32"],
    ) -> None:
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i_0 in T.parallel(128):
            for j_0 in range(16):
                with T.block("C_init"):
                    vi, vj = T.axis.remap("SS", [i_0, j_0])
                    T.reads()
                    T.writes(C[vi * 4 : vi * 4 + 4, vj * 32 : vj * 32 + 32])
                    for i_1 in T.unroll(4):
                        for j_1 in T.vectorized(32):
                            C[vi * 4 + i_1, vj * 32 + j_1] = T.float32(0)
                for k in range(512):
                    for i_1 in T.unroll(4):
                        for j_1 in T.vectorized(32):
                            with T.block("C_update"):
                                vi = T.axis.spatial(512, i_0 * 4 + i_1)
                                vj = T.axis.spatial(512, j_0 * 32 + j_1)
                                vk = T.axis.reduce(512, k)
                                T.reads(C[vi, vj], A[vi, vk], B[vk, vj])
                                T.writes(C[vi, vj])
                                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


def reference_tiled(A: Matrix, B: Matrix, C: Matrix) -> None:
    """What `tiled` must compute, in NumPy; `matmul` is small enough for the interpreter."""
    C[:] = A @ B
