# One of several numbers is drawn by probability, or by the index that is decided on.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    steps = sch.sample_categorical([16, 64, 512], [0.5, 0.25, 0.25], decision=1)
    sch.annotate(sch.get_block("B"), "pragma_auto_unroll_max_step", steps)

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
            T.block_attr({"pragma_auto_unroll_max_step": 64})
            B[vi, vj] = A[vi, vj] * T.float32(2)
