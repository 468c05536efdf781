# pass: tir.LowerAutoCopy
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    with T.block("root"):
        T.reads()
        T.writes()
        T.block_attr({"warp_execution": T.bool(True)})
        for ty in T.thread_binding(2, thread="threadIdx.y"):
            with T.block(""):
                T.reads(A[0:5, 0:12])
                T.writes(B[0:5, 0:12])
                S = T.alloc_buffer((5, 12), scope="shared")
                with T.block("S"):
                    T.reads(A[0:5, 0:12])
                    T.writes(S[0:5, 0:12])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 8})
                    for i, j in T.grid(5, 12):
                        S[i, j] = A[i, j]
                with T.block("B"):
                    T.reads(S[0:5, 0:12])
                    T.writes(B[0:5, 0:12])
                    for i, j in T.grid(5, 12):
                        B[i, j] = S[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    with T.block("root"):
        T.reads()
        T.writes()
        T.block_attr({"warp_execution": T.bool(True)})
        for ty in T.thread_binding(2, thread="threadIdx.y"):
            with T.block(""):
                T.reads(A[0:5, 0:12])
                T.writes(B[0:5, 0:12])
                S = T.alloc_buffer((5, 12), strides=(12, 1), scope="shared")
                with T.block("S"):
                    T.reads(A[0:5, 0:12])
                    T.writes(S[0:5, 0:12])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 8})
                    for i_j_fused_0 in range(1):
                        for i_j_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                            for i_j_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                for i_j_fused_3 in T.vectorized(2):
                                    if ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 2 + i_j_fused_3 < 60:
                                        S[(((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 2 + i_j_fused_3) // 12 % 5, (((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 2 + i_j_fused_3) % 12] = A[(((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 2 + i_j_fused_3) // 12 % 5, (((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 2 + i_j_fused_3) % 12]
                with T.block("B"):
                    T.reads(S[0:5, 0:12])
                    T.writes(B[0:5, 0:12])
                    for i, j in T.grid(5, 12):
                        B[i, j] = S[i, j]
