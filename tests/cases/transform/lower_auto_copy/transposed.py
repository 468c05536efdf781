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
                T.reads(A[0:32, 0:16])
                T.writes(B[0:16, 0:32])
                S = T.alloc_buffer((16, 32), scope="shared.dyn")
                with T.block("S"):
                    T.reads(A[0:32, 0:16])
                    T.writes(S[0:16, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i, j in T.grid(32, 16):
                        S[j, i] = A[i, j]
                with T.block("B"):
                    T.reads(S[0:16, 0:32])
                    T.writes(B[0:16, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for j, i in T.grid(16, 32):
                        B[j, i] = S[j, i]

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
                T.reads(A[0:32, 0:16])
                T.writes(B[0:16, 0:32])
                S = T.alloc_buffer((16, 32), strides=(34, 1), scope="shared.dyn")
                with T.block("S"):
                    T.reads(A[0:32, 0:16])
                    T.writes(S[0:16, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i_j_fused_0 in range(8):
                        for i_j_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                            for i_j_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                for i_j_fused_3 in T.vectorized(1):
                                    S[((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) % 16, ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) // 16 % 32] = A[((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) // 16 % 32, ((i_j_fused_0 * 2 + i_j_fused_1) * 32 + i_j_fused_2 + i_j_fused_3) % 16]
                with T.block("B"):
                    T.reads(S[0:16, 0:32])
                    T.writes(B[0:16, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for j_inverse_i_inverse_fused_0 in range(8):
                        for j_inverse_i_inverse_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                            for j_inverse_i_inverse_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                for j_inverse_i_inverse_fused_3 in T.vectorized(1):
                                    B[((j_inverse_i_inverse_fused_0 * 2 + j_inverse_i_inverse_fused_1) * 32 + j_inverse_i_inverse_fused_2 + j_inverse_i_inverse_fused_3) // 32 % 16, ((j_inverse_i_inverse_fused_0 * 2 + j_inverse_i_inverse_fused_1) * 32 + j_inverse_i_inverse_fused_2 + j_inverse_i_inverse_fused_3) % 32] = S[((j_inverse_i_inverse_fused_0 * 2 + j_inverse_i_inverse_fused_1) * 32 + j_inverse_i_inverse_fused_2 + j_inverse_i_inverse_fused_3) // 32 % 16, ((j_inverse_i_inverse_fused_0 * 2 + j_inverse_i_inverse_fused_1) * 32 + j_inverse_i_inverse_fused_2 + j_inverse_i_inverse_fused_3) % 32]
