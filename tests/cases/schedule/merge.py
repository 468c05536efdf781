# Loops that stand beside each other become one that runs the bodies of both.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32"), C: T.Buffer((16, 12), "float32"), D: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 12):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(16, 12):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[vi, vj] - C[vi, vj]

# schedule
def schedule(sch):
    _, j1 = sch.get_loops("B")
    _, j2 = sch.get_loops("C")
    sch.merge(j1, j2)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32"), C: T.Buffer((16, 12), "float32"), D: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for i_m, j_m in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i_m, j_m])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2)
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i_m, j_m])
            T.reads(A[vi, vj])
            T.writes(C[vi, vj])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(16, 12):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(B[vi, vj], C[vi, vj])
            T.writes(D[vi, vj])
            D[vi, vj] = B[vi, vj] - C[vi, vj]
