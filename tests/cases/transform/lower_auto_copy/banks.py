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
                T.reads(A[0:32, 0:32])
                T.writes(B[0:32, 0:32])
                S = T.alloc_buffer((32, 32), scope="shared")
                U = T.alloc_buffer((32, 32), scope="shared")
                with T.block("S"):
                    T.reads(A[0:32, 0:32])
                    T.writes(S[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i, j in T.grid(32, 32):
                        S[j, i] = A[i, j]
                with T.block("U"):
                    T.reads(A[0:32, 0:32])
                    T.writes(U[0:32, 0:32])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 16})
                    for i, j in T.grid(32, 32):
                        U[i, j] = A[i, j]
                with T.block("U2"):
                    T.reads(A[0:32, 0:32])
                    T.writes(U[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i, j in T.grid(32, 32):
                        U[j, i] = A[i, j]
                with T.block("B"):
                    T.reads(S[0:32, 0:32], U[0:32, 0:32])
                    T.writes(B[0:32, 0:32])
                    for i, j in T.grid(32, 32):
                        B[i, j] = S[i, j] + U[i, j]

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
                T.reads(A[0:32, 0:32])
                T.writes(B[0:32, 0:32])
                S = T.alloc_buffer((32, 32), strides=(33, 1), scope="shared")
                U = T.alloc_buffer((32, 32), strides=(36, 1), scope="shared")
                with T.block("S"):
                    T.reads(A[0:32, 0:32])
                    T.writes(S[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i_j_fused_0 in range(16):
                        for i_j_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                            for i_j_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                for i_j_fused_3 in T.vectorized(1):
                                    S[((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) % 32, ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) // 32 % 32] = A[((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) // 32 % 32, ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) % 32]
                with T.block("U"):
                    T.reads(A[0:32, 0:32])
                    T.writes(U[0:32, 0:32])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 16})
                    for i_j_fused_0 in range(4):
                        for i_j_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                            for i_j_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                for i_j_fused_3 in T.vectorized(4):
                                    U[(((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 4 + i_j_fused_3) // 32 % 32, (((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 4 + i_j_fused_3) % 32] = A[(((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 4 + i_j_fused_3) // 32 % 32, (((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2) * 4 + i_j_fused_3) % 32]
                with T.block("U2"):
                    T.reads(A[0:32, 0:32])
                    T.writes(U[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i_j_fused_0 in range(16):
                        for i_j_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                            for i_j_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                for i_j_fused_3 in T.vectorized(1):
                                    U[((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) % 32, ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) // 32 % 32] = A[((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) // 32 % 32, ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) % 32]
                with T.block("B"):
                    T.reads(S[0:32, 0:32], U[0:32, 0:32])
                    T.writes(B[0:32, 0:32])
                    for i, j in T.grid(32, 32):
                        B[i, j] = S[i, j] + U[i, j]
