# Tiles of a stencil need tiles of what it reads, with a border; at the end a predicate keeps to the buffer.
@T.prim_func
def before(A: T.Buffer((18, 18), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((18, 18))
    for i, j in T.grid(18, 18):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi + 1, vj + 2] + B[vi + 2, vj + 1]

# schedule
def schedule(sch):
    i, j = sch.get_loops(sch.get_block("C"))
    i0, i1 = sch.split(i, [None, 5])
    j0, j1 = sch.split(j, [None, 8])
    sch.reorder(i0, j0, i1, j1)
    sch.compute_at("B", j0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((18, 18), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((18, 18))
    for i_0, j_0 in T.grid(4, 2):
        for ax0, ax1 in T.grid(7, 10):
            with T.block("B"):
                vi = T.axis.spatial(18, i_0 * 5 + ax0)
                vj = T.axis.spatial(18, j_0 * 8 + ax1)
                T.where(i_0 * 5 + ax0 < 18)
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i_1, j_1 in T.grid(5, 8):
            with T.block("C"):
                vi = T.axis.spatial(16, i_0 * 5 + i_1)
                vj = T.axis.spatial(16, j_0 * 8 + j_1)
                T.where(i_0 * 5 + i_1 < 16)
                T.reads(B[vi:vi + 3, vj:vj + 3])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] + B[vi + 1, vj + 2] + B[vi + 2, vj + 1]
