# A loop of one iteration does not occur in the bindings, unless unit loops are to be preserved.
@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    u = sch.add_unit_loop(i)
    sch.fuse(u, i, preserve_unit_iters=False)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 12), "float32"), B: T.Buffer((16, 12), "float32")):
    # with T.block("root"):
    for u_i_fused, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [u_i_fused, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2)
