"""An elementwise kernel, vectorized and parallel.

TVM's spelling of the parameters, `x: T.Buffer((65536,), "float32")`, says the same; type checkers refuse it.
"""

from __future__ import annotations

from typing import Annotated

from tvmscript import T


@T.prim_func
def gelu(x: Annotated[T.Buffer, (65536,), "float32"], y: Annotated[T.Buffer, (65536,), "float32"]) -> None:
    T.func_attr({"tir.noalias": T.bool(True)})
    # with T.block("root"):
    for i_0 in T.parallel(64):
        for i_1 in range(64):
            for i_2 in T.vectorized(16):
                with T.block("gelu"):
                    vi = T.axis.spatial(65536, i_0 * 1024 + i_1 * 16 + i_2)
                    T.reads(x[vi])
                    T.writes(y[vi])
                    y[vi] = x[vi] * T.float32(0.5) * (T.float32(1) + T.erf(x[vi] * T.float32(0.70710678118654757)))
