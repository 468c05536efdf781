# A buffer is stored by other indices, wherever it is used.
@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((32, 32))
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i_0, i_1, j in T.grid(4, 8, 32):
        with T.block("C"):
            vi_0, vi_1, vj = T.axis.remap("SSS", [i_0, i_1, j])
            C[vi_0 * 8 + vi_1, vj] = B[vi_0 * 8 + vi_1, vj] + T.float32(1)

# schedule
def schedule(sch):
    sch.transform_layout("B", ("write", 0), lambda i, j: (i // 8, j // 8, i % 8, j % 8))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((4, 4, 8, 8))
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi // 8, vj // 8, vi % 8, vj % 8])
            B[vi // 8, vj // 8, vi % 8, vj % 8] = A[vi, vj] * T.float32(2)
    for i_0, i_1, j in T.grid(4, 8, 32):
        with T.block("C"):
            vi_0, vi_1, vj = T.axis.remap("SSS", [i_0, i_1, j])
            T.reads(B[vi_0, vj // 8, vi_1, vj % 8])
            T.writes(C[vi_0 * 8 + vi_1, vj])
            C[vi_0 * 8 + vi_1, vj] = B[vi_0, vj // 8, vi_1, vj % 8] + T.float32(1)
