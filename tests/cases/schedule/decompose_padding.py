# Padding becomes filling with the padding value, then copying what is inside.
@T.prim_func
def before(A: T.Buffer((14, 14), "float32"), P: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            P[vi, vj] = T.if_then_else(1 <= vi and vi < 15 and 1 <= vj and vj < 15, A[vi - 1, vj - 1], T.float32(0))

# schedule
def schedule(sch):
    i, j = sch.get_loops("P")
    sch.decompose_padding("P", i)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((14, 14), "float32"), P: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i, j in T.grid(16, 16):
        with T.block("P_pad_const"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads()
            T.writes(P[vi, vj])
            P[vi, vj] = T.float32(0)
    for i, j in T.grid(14, 14):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(P[vi + 1, vj + 1])
            P[vi + 1, vj + 1] = A[vi, vj]
