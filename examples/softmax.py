"""A numerically safe softmax over the rows of a matrix, with intermediate buffers and a symbolic number of rows."""

from __future__ import annotations

from tvmscript import T


@T.prim_func
def softmax(a: T.handle, b: T.handle) -> None:
    n = T.int32()
    A = T.match_buffer(a, (n, 128))
    B = T.match_buffer(b, (n, 128))
    # with T.block("root"):
    row_max = T.alloc_buffer((n,))
    row_sum = T.alloc_buffer((n,))
    for i, j in T.grid(n, 128):
        with T.block("row_max"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(A[vi, vj])
            T.writes(row_max[vi])
            with T.init():
                row_max[vi] = T.float32(-3.4028234663852886e38)
            row_max[vi] = T.max(row_max[vi], A[vi, vj])
    for i, j in T.grid(n, 128):
        with T.block("row_sum"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(A[vi, vj], row_max[vi])
            T.writes(row_sum[vi])
            with T.init():
                row_sum[vi] = T.float32(0)
            row_sum[vi] = row_sum[vi] + T.exp(A[vi, vj] - row_max[vi])
    for i, j in T.grid(n, 128):
        with T.block("softmax"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj], row_max[vi], row_sum[vi])
            T.writes(B[vi, vj])
            B[vi, vj] = T.exp(A[vi, vj] - row_max[vi]) / row_sum[vi]
