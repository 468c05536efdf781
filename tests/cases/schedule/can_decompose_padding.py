# Whether a block is padding, for scripts that do it where it is.
@T.prim_func
def before(A: T.Buffer((14, 14), "float32"), P: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            P[vi, vj] = T.if_then_else(1 <= vi and vi < 15 and 1 <= vj and vj < 15, A[vi - 1, vj - 1], T.float32(0))

# schedule
def schedule(sch):
    i, j = sch.get_loops("P")
    if sch.can_decompose_padding(sch.get_block("P"), i):
        sch.parallel(i)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((14, 14), "float32"), P: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i in T.parallel(16):
        for j in range(16):
            with T.block("P"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi - 1, vj - 1])
                T.writes(P[vi, vj])
                P[vi, vj] = T.if_then_else(1 <= vi and vi < 15 and 1 <= vj and vj < 15, A[vi - 1, vj - 1], T.float32(0))
