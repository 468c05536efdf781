"""Kernels that use most of what block IR has, as texts that real TVM reads too."""

from __future__ import annotations

PROGRAMS = {
    "matmul": """
@T.prim_func
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((6, 16), "float32"), C: T.Buffer((8, 16), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": T.bool(True)})
    for i, j in T.grid(8, 16):
        for k in range(6):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""",
    "softmax": """
@T.prim_func
def main(a: T.handle, c: T.handle):
    T.func_attr({"global_symbol": "main", "tir.noalias": T.bool(True)})
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "float32")
    C = T.match_buffer(c, (n, 16), "float32")
    M = T.alloc_buffer((n,), "float32")
    S = T.alloc_buffer((n,), "float32")
    E = T.alloc_buffer((n, 16), "float32")
    for i, j in T.grid(n, 16):
        with T.block("max"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                M[vi] = T.min_value("float32")
            M[vi] = T.max(M[vi], A[vi, vj])
    for i in range(n):
        for j in T.vectorized(16):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = T.exp(A[vi, vj] - M[vi])
    for i, j in T.grid(n, 16):
        with T.block("sum"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + E[vi, vj]
    for i in T.parallel(n):
        for j in T.vectorized(16):
            with T.block("div"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = E[vi, vj] / S[vi]
""",
    "integers": """
@T.prim_func
def main(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int8"), C: T.Buffer((32,), "int32"),
         D: T.Buffer((32,), "uint8"), s: T.int32):
    T.func_attr({"global_symbol": "main"})
    for i in T.unroll(4):
        for j in T.vectorized(8):
            with T.block("x"):
                v = T.axis.spatial(32, i * 8 + j)
                C[v] = A[v] // (s + 2) + A[v] % 3 * T.Cast("int32", B[v]) + T.truncdiv(A[v], 3) + T.shift_left(A[v], 2)
                D[v] = T.Cast("uint8", T.Cast("int32", D[v]) * 100 + C[v])
""",
    "tiles": """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    T.func_attr({"global_symbol": "main"})
    for io, jo in T.grid(4, 4):
        with T.block("tile"):
            vi, vj = T.axis.remap("SS", [io, jo])
            T.reads(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])
            T.writes(B[vj * 4:vj * 4 + 4, vi * 4:vi * 4 + 4])
            L = T.alloc_buffer((16, 16), "float32")
            s0, s1 = T.int32(), T.int32()
            X = T.match_buffer(
                A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4], (4, 4), "float32", strides=(s0, s1), offset_factor=1
            )
            for i, j in T.grid(4, 4):
                with T.block("load"):
                    a, b = T.axis.remap("SS", [i, j])
                    L[vj * 4 + b, vi * 4 + a] = X[a, b]
            for i, j in T.grid(4, 4):
                with T.block("store"):
                    a, b = T.axis.remap("SS", [i, j])
                    B[vj * 4 + a, vi * 4 + b] = L[vj * 4 + a, vi * 4 + b]
""",
    "predicates": """
@T.prim_func
def main(A: T.Buffer((37,), "float64"), B: T.Buffer((37,), "float64"), C: T.Buffer((37,), "bool")):
    T.func_attr({"global_symbol": "main"})
    for i, j in T.grid(5, 8):
        with T.block("pad"):
            v = T.axis.spatial(37, i * 8 + j)
            T.where(i * 8 + j < 37)
            B[v] = T.if_then_else(3 <= v and v < 30, A[v - 3] * T.float64(2), T.float64(0))
            C[v] = C[v] and A[v] < B[v] or v % 5 == 0
    for i in range(37):
        with T.block("select"):
            v = T.axis.spatial(37, i)
            if v % 2 == 0:
                A[v] = T.Select(A[v] > T.float64(0), T.sqrt(T.fabs(A[v])), T.floor(A[v] * T.float64(10)))
            else:
                A[v] = T.max(A[v], T.min(B[v], T.float64(0.25)))
""",
}
