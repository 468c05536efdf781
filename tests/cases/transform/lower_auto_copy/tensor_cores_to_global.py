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
                T.reads(A[0, 0:32])
                T.writes(B[0:32, 0:32])
                G = T.alloc_buffer((32, 32), scope="wmma.accumulator")
                with T.block("B"):
                    T.reads(G[0:32, 0:32], A[0, 0:32])
                    T.writes(B[0:32, 0:32])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 16})
                    for i, j in T.grid(32, 32):
                        B[i, j] = G[i, j] + A[0, j]

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
                T.reads(A[0, 0:32])
                T.writes(B[0:32, 0:32])
                G = T.alloc_buffer((32, 32), scope="wmma.accumulator")
                with T.block("B"):
                    T.reads(G[0:32, 0:32], A[0, 0:32])
                    T.writes(B[0:32, 0:32])
                    T.block_attr({"auto_copy": 1, "vector_bytes": 16})
                    G_shared_dyn = T.alloc_buffer((2, 2, 16, 16), strides=(512, 256, 16, 1), scope="shared.dyn")
                    for i_0 in range(2):
                        for j_0 in range(2):
                            with T.block("wmma_store"):
                                T.reads(G[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16])
                                T.writes(G_shared_dyn[ty, j_0, 0:16, 0:16])
                                src = T.match_buffer(G[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16], (16, 16), scope="wmma.accumulator", offset_factor=16)
                                tgt = T.match_buffer(G_shared_dyn[ty, j_0, 0:16, 0:16], (16, 16), strides=("s1", "s0"), scope="shared.dyn", offset_factor=16)
                                T.tvm_store_matrix_sync(src.data, 16, 16, 16, src.elem_offset // 256 + src.elem_offset % 256 // 16, T.tvm_access_ptr(T.type_annotation("float32"), tgt.data, tgt.elem_offset, tgt.strides[0] * 16, 2), tgt.strides[0], "row_major")
                        for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 in range(4):
                            for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1 in T.thread_binding(2, thread="threadIdx.y"):
                                for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2 in T.thread_binding(32, thread="threadIdx.x"):
                                    for ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3 in T.vectorized(4):
                                        B[i_0 * 16 + (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 16 % 16, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 16 // 16 % 2 * 16 + (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) % 16] = G_shared_dyn[(((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 16 // 16 // 2 % 2, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 16 // 16 % 2, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 16 % 16, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) % 16] + A[0, (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) // 16 // 16 % 2 * 16 + (((ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_0 * 2 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_1) * 32 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_2) * 4 + ty_cache_j_0_cache_i_1_cache_j_1_cache_fused_3) % 16]
