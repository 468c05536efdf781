# A block accesses a copy that has an axis for each of its own axes.
@T.prim_func
def before(A: T.Buffer((16,), "float32"), W: T.Buffer((3,), "float32"), C: T.Buffer((14,), "float32")):
    for i, r in T.grid(14, 3):
        with T.block("C"):
            vi, vr = T.axis.remap("SR", [i, r])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi + vr] * W[vr]

# schedule
def schedule(sch):
    sch.reindex("C", ("read", 0))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16,), "float32"), W: T.Buffer((3,), "float32"), C: T.Buffer((14,), "float32")):
    # with T.block("root"):
    A_reindex = T.alloc_buffer((14, 3))
    for ax0, ax1 in T.grid(14, 3):
        with T.block("A_reindex_reindex"):
            v0, v1 = T.axis.remap("SS", [ax0, ax1])
            T.reads(A[v0 + v1])
            T.writes(A_reindex[v0, v1])
            A_reindex[v0, v1] = A[v0 + v1]
    for i, r in T.grid(14, 3):
        with T.block("C"):
            vi, vr = T.axis.remap("SR", [i, r])
            T.reads(A_reindex[vi, vr], W[vr])
            T.writes(C[vi])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A_reindex[vi, vr] * W[vr]
