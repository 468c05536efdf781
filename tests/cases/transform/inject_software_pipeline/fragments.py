# pass: tir.InjectSoftwarePipeline
@T.prim_func
def main(A: T.Buffer((4, 16, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((4, 16, 16), "float32")):
    for tx in T.thread_binding(0, 32, thread="threadIdx.x"):
        for i in T.serial(0, 4, annotations={"software_pipeline_stage": [0, 0, 1, 2], "software_pipeline_order": [0, 1, 3, 2]}):
            with T.block("compute"):
                T.reads(A[i, 0:16, 0:16], B[0:16, 0:16])
                T.writes(C[i, 0:16, 0:16])
                fa = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_a")
                fb = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_b")
                fc = T.alloc_buffer((16, 16), "float32", scope="wmma.accumulator")
                with T.block():
                    T.reads(A[i, 0:16, 0:16])
                    T.writes(fa[0:16, 0:16])
                    T.tvm_load_matrix_sync(fa.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, i * 256, 256, 1), 16, "row_major")
                with T.block():
                    T.reads(B[0:16, 0:16])
                    T.writes(fb[0:16, 0:16])
                    T.tvm_load_matrix_sync(fb.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
                with T.block():
                    T.reads(fa[0:16, 0:16], fb[0:16, 0:16])
                    T.writes(fc[0:16, 0:16])
                    for u in range(1):
                        T.tvm_fill_fragment(fc.data, 16, 16, 16, 0, T.float32(0))
                        T.tvm_mma_sync(fc.data, 0, fa.data, 0, fb.data, 0, fc.data, 0)
                with T.block():
                    T.reads(fc[0:16, 0:16])
                    T.writes(C[i, 0:16, 0:16])
                    T.tvm_store_matrix_sync(fc.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, i * 256, 256, 2), 16, "row_major")

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 16, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((4, 16, 16), "float32")):
    # with T.block("root"):
    for tx in T.thread_binding(32, thread="threadIdx.x"):
        with T.block(""):
            T.reads(A[0:4, 0:16, 0:16], B[0:16, 0:16])
            T.writes(C[0:4, 0:16, 0:16])
            fa = T.alloc_buffer((2, 16, 16), "float16", scope="wmma.matrix_a")
            fb = T.alloc_buffer((2, 16, 16), "float16", scope="wmma.matrix_b")
            fc = T.alloc_buffer((16, 16), scope="wmma.accumulator")
            with T.block(""):
                T.reads(A[0:2, 0:16, 0:16], B[0:16, 0:16], fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16])
                T.writes(fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16], fc[0:16, 0:16])
                for i in T.unroll(2):
                    with T.block(""):
                        T.where(i < 4)
                        T.reads(A[i, 0:16, 0:16])
                        T.writes(fa[0:2, 0:16, 0:16])
                        T.tvm_load_matrix_sync(fa.data, 16, 16, 16, i % 2, T.tvm_access_ptr(T.type_annotation("float16"), A.data, i * 256, 256, 1), 16, "row_major")
                    with T.block(""):
                        T.where(i < 4)
                        T.reads(B[0:16, 0:16])
                        T.writes(fb[0:2, 0:16, 0:16])
                        T.tvm_load_matrix_sync(fb.data, 16, 16, 16, i % 2, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
                    with T.block(""):
                        T.where(i == 1 and i - 1 < 4)
                        T.reads(fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16])
                        T.writes(fc[0:16, 0:16])
                        for u in range(1):
                            T.tvm_fill_fragment(fc.data, 16, 16, 16, 0, T.float32(0))
                            T.tvm_mma_sync(fc.data, 0, fa.data, (i - 1) % 2, fb.data, (i - 1) % 2, fc.data, 0)
            with T.block(""):
                T.reads(A[2:4, 0:16, 0:16], B[0:16, 0:16], fc[0:16, 0:16], fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16])
                T.writes(fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16], C[0:2, 0:16, 0:16], fc[0:16, 0:16])
                for i in range(2):
                    with T.block(""):
                        T.where(i + 2 < 4)
                        T.reads(A[i + 2, 0:16, 0:16])
                        T.writes(fa[0:2, 0:16, 0:16])
                        T.tvm_load_matrix_sync(fa.data, 16, 16, 16, (i + 2) % 2, T.tvm_access_ptr(T.type_annotation("float16"), A.data, (i + 2) * 256, 256, 1), 16, "row_major")
                    with T.block(""):
                        T.where(i + 2 < 4)
                        T.reads(B[0:16, 0:16])
                        T.writes(fb[0:2, 0:16, 0:16])
                        T.tvm_load_matrix_sync(fb.data, 16, 16, 16, (i + 2) % 2, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
                    with T.block(""):
                        T.where(i + 2 - 2 < 4)
                        T.reads(fc[0:16, 0:16])
                        T.writes(C[i - 2 + 2, 0:16, 0:16])
                        T.tvm_store_matrix_sync(fc.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, (i - 2 + 2) * 256, 256, 2), 16, "row_major")
                    with T.block(""):
                        T.where(i + 2 - 1 < 4)
                        T.reads(fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16])
                        T.writes(fc[0:16, 0:16])
                        for u in range(1):
                            T.tvm_fill_fragment(fc.data, 16, 16, 16, 0, T.float32(0))
                            T.tvm_mma_sync(fc.data, 0, fa.data, (i - 1 + 2) % 2, fb.data, (i - 1 + 2) % 2, fc.data, 0)
            with T.block(""):
                T.reads(fc[0:16, 0:16], fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16])
                T.writes(C[2:4, 0:16, 0:16], fc[0:16, 0:16])
                for i in T.unroll(2):
                    with T.block(""):
                        T.where(i + 4 - 2 < 4)
                        T.reads(fc[0:16, 0:16])
                        T.writes(C[i - 2 + 4, 0:16, 0:16])
                        T.tvm_store_matrix_sync(fc.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, (i - 2 + 4) * 256, 256, 2), 16, "row_major")
                    with T.block(""):
                        T.where(i + 4 - 1 < 4)
                        T.reads(fa[0:2, 0:16, 0:16], fb[0:2, 0:16, 0:16])
                        T.writes(fc[0:16, 0:16])
                        for u in range(1):
                            T.tvm_fill_fragment(fc.data, 16, 16, 16, 0, T.float32(0))
                            T.tvm_mma_sync(fc.data, 0, fa.data, (i - 1 + 4) % 2, fb.data, (i - 1 + 4) % 2, fc.data, 0)
