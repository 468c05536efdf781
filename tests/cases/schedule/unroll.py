# The iterations of a loop are written one after the other.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    _, j1 = sch.split(j, [None, 4])
    sch.unroll(j1)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for i, j_0 in T.grid(16, 3):
        for j_1 in T.unroll(4):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.spatial(12, j_0 * 4 + j_1)
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] * T.float32(2)
