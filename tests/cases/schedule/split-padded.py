# A copy of five rows is split into parts that do not divide it: sums in digits are written out.
@T.prim_func
def before(A: T.Buffer((100, 60), "float32"), B: T.Buffer((100, 60), "float32")):
    C = T.alloc_buffer((100, 60))
    for i, j in T.grid(100, 60):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(100, 60):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    i0, _ = sch.split(i, [None, 16])
    sch.compute_at("C", i0)
    _, i1, j1 = sch.get_loops("C")
    sch.split(sch.fuse(i1, j1), [None, 32, 4])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((100, 60), "float32"), B: T.Buffer((100, 60), "float32")):
    # with T.block("root"):
    C = T.alloc_buffer((100, 60))
    for i_0 in range(7):
        for ax0_ax1_fused_0, ax0_ax1_fused_1, ax0_ax1_fused_2 in T.grid(8, 32, 4):
            with T.block("C"):
                vi = T.axis.spatial(100, i_0 * 16 + (ax0_ax1_fused_0 * 128 + ax0_ax1_fused_1 * 4 + ax0_ax1_fused_2) // 60)
                vj = T.axis.spatial(60, (ax0_ax1_fused_0 * 128 + ax0_ax1_fused_1 * 4 + ax0_ax1_fused_2) % 60)
                T.where(i_0 * 16 + ((ax0_ax1_fused_0 * 32 + ax0_ax1_fused_1) * 4 + ax0_ax1_fused_2) // 60 < 100 and (ax0_ax1_fused_0 * 32 + ax0_ax1_fused_1) * 4 + ax0_ax1_fused_2 < 960)
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] * T.float32(2)
        for i_1, j in T.grid(16, 60):
            with T.block("B"):
                vi = T.axis.spatial(100, i_0 * 16 + i_1)
                vj = T.axis.spatial(60, j)
                T.where(i_0 * 16 + i_1 < 100)
                T.reads(C[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = C[vi, vj] + T.float32(1)
