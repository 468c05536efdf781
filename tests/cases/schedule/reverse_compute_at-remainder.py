# A predicate keeps remainders whole, also where a common factor is divided out.
@T.prim_func
def before(A: T.Buffer((100, 70), "float32"), D: T.Buffer((100, 70), "float32")):
    C = T.alloc_buffer((100, 70))
    for i, j in T.grid(100, 70):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(100, 70):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = C[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    i, j = sch.get_loops("C")
    i0, i1, i2 = sch.split(i, [None, 2, 8])
    j0, j1, j2 = sch.split(j, [None, 8, 2])
    sch.reorder(i0, j0, i1, j1, i2, j2)
    sch.fuse(i0, j0)
    sch.reverse_compute_at("D", j1)

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((100, 70), "float32"), D: T.Buffer((100, 70), "float32")):
    # with T.block("root"):
    C = T.alloc_buffer((100, 70))
    for i_0_j_0_fused, i_1, j_1 in T.grid(35, 2, 8):
        for i_2, j_2 in T.grid(8, 2):
            with T.block("C"):
                vi = T.axis.spatial(100, i_0_j_0_fused // 5 * 16 + i_1 * 8 + i_2)
                vj = T.axis.spatial(70, i_0_j_0_fused % 5 * 16 + j_1 * 2 + j_2)
                T.where((i_0_j_0_fused // 5 * 2 + i_1) * 8 + i_2 < 100 and (i_0_j_0_fused % 5 * 8 + j_1) * 2 + j_2 < 70)
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] * T.float32(2)
        for ax0, ax1 in T.grid(8, 2):
            with T.block("D"):
                vi = T.axis.spatial(100, i_0_j_0_fused // 5 * 16 + i_1 * 8 + ax0)
                vj = T.axis.spatial(70, i_0_j_0_fused % 5 * 16 + j_1 * 2 + ax1)
                T.where(i_0_j_0_fused // 5 * 16 + i_1 * 8 + ax0 < 100 and i_0_j_0_fused % 5 * 8 + j_1 < 35)
                T.reads(C[vi, vj])
                T.writes(D[vi, vj])
                D[vi, vj] = C[vi, vj] + T.float32(1)
