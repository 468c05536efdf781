# pass: tir.InjectPermutedLayout
# differs from TVM: the oracle's own change allows rows of 512 bits alone; 0.27 does the same as here
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(B[0:64, 0:64])
        S = T.alloc_buffer((64, 64), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="warp")
        for i, j in T.grid(4, 4):
            for tx in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("ld"):
                    T.reads(S[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                    T.writes(L[tx, 0:8])
                    T.block_attr({"permuted_layout": 1})
                    T.ptx_ldmatrix("float16", False, 4, ".b16", L.data, tx * 8, T.tvm_access_ptr(T.type_annotation("float16"), S.data, i * 1024 + j * 16, 1024, 1), 64 * (tx % 16) + 8 * (tx // 16))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(B[0:64, 0:64])
        S = T.alloc_buffer((64, 64), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="warp")
        for i, j in T.grid(4, 4):
            for tx in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("ld"):
                    T.reads(S[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                    T.writes(L[tx, 0:8])
                    T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", L.data, tx * 8, T.tvm_access_ptr(T.type_annotation("float16"), S.data, i * 1024 + tx % 16 * 64 + T.bitwise_xor(j * 2 + tx // 16, tx % 8) * 8, 1024, 1), 0)
