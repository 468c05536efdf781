# pass: tir.CompactBufferAllocation
# values: not compared: the interpreter has no fragments
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    # with T.block("root"):
    for i, j in T.grid(4, 4):
        with T.block(""):
            T.reads(A[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
            T.writes(C[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
            S = T.alloc_buffer((64, 64), "float16", scope="wmma.matrix_a")
            W = T.alloc_buffer((64, 64), "float16", scope="shared")
            with T.block(""):
                T.reads(A[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                T.writes(S[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                T.tvm_load_matrix_sync(S.data, 16, 16, 16, 0, A.data, 16, "row_major")
            with T.block(""):
                T.reads(S[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                T.writes(C[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                T.tvm_store_matrix_sync(S.data, 16, 16, 16, 0, C.data, 16, "row_major")
            T.tvm_access_ptr(T.type_annotation("float16"), W.data, 0, 4096, 1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    # with T.block("root"):
    for i, j in T.grid(4, 4):
        with T.block(""):
            T.reads(A[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
            T.writes(C[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
            S = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_a")
            W = T.alloc_buffer((64, 64), "float16", scope="shared")
            with T.block(""):
                T.reads(A[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                T.writes(S[i * 16 - i * 16:i * 16 - i * 16 + 16, j * 16 - j * 16:j * 16 - j * 16 + 16])
                T.tvm_load_matrix_sync(S.data, 16, 16, 16, 0, A.data, 16, "row_major")
            with T.block(""):
                T.reads(S[i * 16 - i * 16:i * 16 - i * 16 + 16, j * 16 - j * 16:j * 16 - j * 16 + 16])
                T.writes(C[i * 16:i * 16 + 16, j * 16:j * 16 + 16])
                T.tvm_store_matrix_sync(S.data, 16, 16, 16, 0, C.data, 16, "row_major")
            T.tvm_access_ptr(T.type_annotation("float16"), W.data, 0, 4096, 1)
