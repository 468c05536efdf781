# Indices are computed beforehand, into buffers of their own.
# differs from TVM: its block does not say that it reads the new buffers
@T.prim_func
def before(A: T.Buffer((8, 8), "float32"), C: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[T.min(vi // 2, 7), T.min(vj // 2, 7)]

# schedule
def schedule(sch):
    sch.cache_index("C", "global")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((8, 8), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    index_var_0 = T.alloc_buffer((16,), "int32", strides=(1,))
    index_var_1 = T.alloc_buffer((16,), "int32", strides=(1,))
    for ax0 in range(16):
        with T.block("index_0"):
            v0 = T.axis.spatial(16, ax0)
            T.reads()
            T.writes(index_var_0[v0])
            index_var_0[v0] = T.min(v0 // 2, 7)
    for ax0 in range(16):
        with T.block("index_1"):
            v0 = T.axis.spatial(16, ax0)
            T.reads()
            T.writes(index_var_1[v0])
            index_var_1[v0] = T.min(v0 // 2, 7)
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[T.min(vi // 2, 7), T.min(vj // 2, 7)], index_var_0[vi], index_var_1[vj])
            T.writes(C[vi, vj])
            C[vi, vj] = A[index_var_0[vi], index_var_1[vj]]
