# pass: tir.LowerAutoCopy
# differs from TVM: its copies begin at the first element
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((40, 40), "float32"), B: T.Buffer((40, 40), "float32")):
    with T.block("root"):
        T.reads()
        T.writes()
        for tx in T.thread_binding(8, thread="threadIdx.x"):
            with T.block(""):
                T.reads(A[2:18, 3:19])
                T.writes(B[2:18, 3:19])
                S = T.alloc_buffer((18, 19), scope="shared")
                with T.block("S"):
                    T.reads(A[2:18, 3:19])
                    T.writes(S[2:18, 3:19])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 8})
                    for i in range(2, 18):
                        for j in range(3, 19):
                            S[i, j] = A[i, j]
                with T.block("B"):
                    T.reads(S[2:18, 3:19])
                    T.writes(B[2:18, 3:19])
                    for i, j in T.grid(16, 16):
                        B[i + 2, j + 3] = S[i + 2, j + 3]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((40, 40), "float32"), B: T.Buffer((40, 40), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(8, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[2:18, 3:19])
            T.writes(B[2:18, 3:19])
            S = T.alloc_buffer((18, 19), strides=(19, 1), scope="shared")
            with T.block("S"):
                T.reads(A[2:18, 3:19])
                T.writes(S[2:18, 3:19])
                T.block_attr({"auto_copy": 1, "vector_bytes": 8})
                for i_j_fused_0 in range(16):
                    for i_j_fused_1 in T.thread_binding(8, thread="threadIdx.x"):
                        for i_j_fused_2 in T.vectorized(2):
                            S[2 + ((i_j_fused_0 * 8 + i_j_fused_1) * 2 + i_j_fused_2) // 16 % 16, 3 + ((i_j_fused_0 * 8 + i_j_fused_1) * 2 + i_j_fused_2) % 16] = A[2 + ((i_j_fused_0 * 8 + i_j_fused_1) * 2 + i_j_fused_2) // 16 % 16, 3 + ((i_j_fused_0 * 8 + i_j_fused_1) * 2 + i_j_fused_2) % 16]
            with T.block("B"):
                T.reads(S[2:18, 3:19])
                T.writes(B[2:18, 3:19])
                for i, j in T.grid(16, 16):
                    B[i + 2, j + 3] = S[i + 2, j + 3]
