# A note is taken away.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.block_attr({"tiles": 4})
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    sch.unannotate(sch.get_block("B"), "tiles")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2)
