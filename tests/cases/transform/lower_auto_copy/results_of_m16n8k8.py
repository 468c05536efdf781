# pass: tir.LowerAutoCopy
# values: not compared: fragments are read that nobody has written
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    with T.block("root"):
        T.reads()
        T.writes()
        T.block_attr({"warp_execution": T.bool(True)})
        for ty in T.thread_binding(2, thread="threadIdx.y"):
            with T.block(""):
                T.reads()
                T.writes(B[0:16, 0:32])
                G = T.alloc_buffer((16, 32), scope="m16n8k8.matrixC")
                with T.block("B"):
                    T.reads(G[0:16, 0:32])
                    T.writes(B[0:16, 0:32])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 16})
                    for i, j in T.grid(16, 32):
                        B[i, j] = G[i, j]

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
                T.reads()
                T.writes(B[0:16, 0:32])
                G = T.alloc_buffer((16, 32), scope="m16n8k8.matrixC")
                with T.block("B"):
                    T.reads(G[0:16, 0:32])
                    T.writes(B[0:16, 0:32])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 16})
                    G_shared_dyn = T.alloc_buffer((2, 4, 8, 8), strides=(288, 72, 8, 1), scope="shared.dyn")
                    for i_0 in range(2):
                        for j_0 in range(4):
                            with T.block("mma_store"):
                                T.reads(G[i_0 * 8:i_0 * 8 + 8, j_0 * 8:j_0 * 8 + 8])
                                T.writes(G_shared_dyn[ty, j_0, 0:8, 0:8])
                                src = T.match_buffer(G[i_0 * 8:i_0 * 8 + 8, j_0 * 8:j_0 * 8 + 8], (8, 8), scope="m16n8k8.matrixC", offset_factor=8)
                                tgt = T.match_buffer(G_shared_dyn[ty, j_0, 0:8, 0:8], (8, 8), strides=("s1", "s0"), scope="shared.dyn", offset_factor=8)
                                tx = T.launch_thread("threadIdx.x", 32)
                                for vec in T.vectorized(2):
                                    tgt[tx // 4, tx % 4 * 2 + vec] = src[tx // 4, tx % 4 * 2 + vec]
                        for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 in range(2):
                            for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                                for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                    for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3 in T.vectorized(4):
                                        B[i_0 * 8 + (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 8 % 8, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 8 // 8 % 4 * 8 + (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) % 8] = G_shared_dyn[(((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 8 // 8 // 4 % 2, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 8 // 8 % 4, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 8 % 8, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) % 8]
