# Nested loops become one loop over all their iterations.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    sch.fuse(i, j)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for i_j_fused in range(192):
        with T.block("B"):
            vi = T.axis.spatial(16, i_j_fused // 12)
            vj = T.axis.spatial(12, i_j_fused % 12)
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2)
