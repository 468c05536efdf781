# pass: tir.InjectPermutedLayout
@T.prim_func
def main(A: T.Buffer((64, 32), "float16"), B: T.Buffer((64, 32), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:32])
        T.writes(B[0:64, 0:32])
        S = T.alloc_buffer((64, 32), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="local")
        for i0, j0, tx in T.grid(4, 2, 32):
            with T.block("w"):
                T.reads(A[i0*16:i0*16+16, j0*16:j0*16+16])
                T.writes(S[i0*16:i0*16+16, j0*16:j0*16+16])
                T.block_attr({"permuted_layout": 1})
                for v in T.vectorized(8):
                    S[i0 * 16 + tx // 2, j0 * 16 + tx % 2 * 8 + v] = A[i0 * 16 + tx // 2, j0 * 16 + tx % 2 * 8 + v]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 32), "float16"), B: T.Buffer((64, 32), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:32])
        T.writes(B[0:64, 0:32])
        S = T.alloc_buffer((64, 32), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="local")
        for i0, j0, tx in T.grid(4, 2, 32):
            with T.block("w"):
                T.reads(A[i0 * 16:i0 * 16 + 16, j0 * 16:j0 * 16 + 16])
                T.writes(S[i0 * 16:i0 * 16 + 16, j0 * 16:j0 * 16 + 16])
                for v in T.vectorized(8):
                    S[i0 * 16 + tx // 2, T.bitwise_xor(j0 * 2 + tx % 2, tx % 16 // 4) * 8 + v] = A[i0 * 16 + tx // 2, j0 * 16 + tx % 2 * 8 + v]
