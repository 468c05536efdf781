# pass: tir.InferFragment
@T.prim_func
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((16, 16), "float32")):
    T.launch_thread("threadIdx.x", 32)
    fa = T.allocate([256], "float16", "wmma.matrix_a")
    fb = T.allocate([256], "float16", "wmma.matrix_b")
    fc = T.allocate([256], "float32", "wmma.accumulator")
    T.tvm_fill_fragment(fc, 16, 16, 16, 0, T.float32(0))
    T.tvm_load_matrix_sync(fa, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 256, 1), 16, "row_major")
    T.tvm_load_matrix_sync(fb, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
    T.tvm_mma_sync(fc, 0, fa, 0, fb, 0, fc, 0)
    T.tvm_store_matrix_sync(fc, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, 256, 2), 16, "row_major")

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((16, 16), "float32")):
    v = T.launch_thread("threadIdx.x", 32)
    fa = T.handle("float16", "wmma.matrix_a")
    T.attr(fa, "fragment_layout", "row_major")
    T.attr(fa, "fragment_shape", "16, 16, 16")
    fa = T.allocate([256], "float16", "wmma.matrix_a")
    fb = T.handle("float16", "wmma.matrix_b")
    T.attr(fb, "fragment_layout", "col_major")
    T.attr(fb, "fragment_shape", "16, 16, 16")
    fb = T.allocate([256], "float16", "wmma.matrix_b")
    fc = T.handle("float32", "wmma.accumulator")
    T.attr(fc, "fragment_layout", "row_major")
    T.attr(fc, "fragment_shape", "16, 16, 16")
    fc = T.allocate([256], "float32", "wmma.accumulator")
    T.tvm_fill_fragment(fc, 16, 16, 16, 0, T.float32(0))
    T.tvm_load_matrix_sync(fa, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 256, 1), 16, "row_major")
    T.tvm_load_matrix_sync(fb, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
    T.tvm_mma_sync(fc, 0, fa, 0, fb, 0, fc, 0)
    T.tvm_store_matrix_sync(fc, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, 256, 2), 16, "row_major")
