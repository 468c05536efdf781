# Factors may be numbers that were drawn.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    sch.split(j, sch.sample_perfect_tile(j, n=3, decision=[2, 3, 2]))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for i, j_0, j_1, j_2 in T.grid(16, 2, 3, 2):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            vj = T.axis.spatial(12, j_0 * 6 + j_1 * 2 + j_2)
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2)
