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
                T.writes()
                S = T.alloc_buffer((32, 64), "float16", scope="shared")
                F = T.alloc_buffer((32, 32), "float16", scope="wmma.matrix_b")
                G = T.alloc_buffer((32, 32), scope="wmma.accumulator")
                U = T.alloc_buffer((32, 32), scope="shared")
                with T.block("F"):
                    T.reads(S[0:32, 0:32])
                    T.writes(F[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i, j in T.grid(32, 32):
                        F[i, j] = S[j, i]
                with T.block("U"):
                    T.reads(G[0:32, 0:32])
                    T.writes(U[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i, j in T.grid(32, 32):
                        U[i, j] = G[i, j]

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
                T.writes()
                S = T.alloc_buffer((32, 64), "float16", strides=(72, 1), scope="shared")
                F = T.alloc_buffer((32, 32), "float16", scope="wmma.matrix_b")
                G = T.alloc_buffer((32, 32), scope="wmma.accumulator")
                U = T.alloc_buffer((32, 32), strides=(40, 1), scope="shared")
                with T.block("F"):
                    T.reads(S[0:32, 0:32])
                    T.writes(F[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i_0, j_0 in T.grid(2, 2):
                        with T.block("wmma_load"):
                            T.reads(S[j_0 * 16:j_0 * 16 + 16, i_0 * 16:i_0 * 16 + 16])
                            T.writes(F[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16])
                            src = T.match_buffer(S[j_0 * 16:j_0 * 16 + 16, i_0 * 16:i_0 * 16 + 16], (16, 16), "float16", strides=("s1", "s0"), scope="shared", offset_factor=16)
                            tgt = T.match_buffer(F[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16], (16, 16), "float16", scope="wmma.matrix_b", offset_factor=16)
                            T.tvm_load_matrix_sync(tgt.data, 16, 16, 16, tgt.elem_offset // 256 + tgt.elem_offset % 256 // 16, T.tvm_access_ptr(T.type_annotation("float16"), src.data, src.elem_offset, src.strides[0] * 16, 1), src.strides[0], "col_major")
                with T.block("U"):
                    T.reads(G[0:32, 0:32])
                    T.writes(U[0:32, 0:32])
                    T.block_attr({"auto_copy": 1})
                    for i_0, j_0 in T.grid(2, 2):
                        with T.block("wmma_store"):
                            T.reads(G[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16])
                            T.writes(U[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16])
                            src = T.match_buffer(G[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16], (16, 16), scope="wmma.accumulator", offset_factor=16)
                            tgt = T.match_buffer(U[i_0 * 16:i_0 * 16 + 16, j_0 * 16:j_0 * 16 + 16], (16, 16), strides=("s1", "s0"), scope="shared", offset_factor=16)
                            T.tvm_store_matrix_sync(src.data, 16, 16, 16, src.elem_offset // 256 + src.elem_offset % 256 // 16, T.tvm_access_ptr(T.type_annotation("float32"), tgt.data, tgt.elem_offset, tgt.strides[0] * 16, 2), tgt.strides[0], "row_major")
