# A separator among the results of the map starts a group of axes, which physical layouts know.
@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((32, 32))
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    sch.transform_layout("B", "B", lambda i, j: (i // 8, j, "axis_separator", i % 8))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((4, 32, 8), axis_separators=[2])
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi // 8, vj, vi % 8])
            B[vi // 8, vj, vi % 8] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(B[vi // 8, vj, vi % 8])
            T.writes(C[vi, vj])
            C[vi, vj] = B[vi // 8, vj, vi % 8] + T.float32(1)
