# A predicate follows the loops; here the new loops do not leave the range of the axis, so that nothing is left of it.
# differs from TVM: its predicate names a loop that is gone
@T.prim_func
def before(A: T.Buffer((36,), "float32"), B: T.Buffer((36,), "float32")):
    for i in range(40):
        with T.block("B"):
            v = T.axis.spatial(36, i)
            T.where(i < 36)
            B[v] = A[v] * T.float32(2)

# schedule
def schedule(sch):
    sch.transform_block_layout("B", lambda i: (i // 4, i % 4))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((36,), "float32"), B: T.Buffer((36,), "float32")):
    # with T.block("root"):
    for ax0, ax1 in T.grid(9, 4):
        with T.block("B"):
            v0, v1 = T.axis.remap("SS", [ax0, ax1])
            T.reads(A[v0 * 4 + v1])
            T.writes(B[v0 * 4 + v1])
            B[v0 * 4 + v1] = A[v0 * 4 + v1] * T.float32(2)
