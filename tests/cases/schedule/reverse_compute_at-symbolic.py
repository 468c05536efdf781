# The rows that a part of a fused loop writes: the size that it is divided by is at least 0.
# differs from TVM: its ends are the least and the greatest of both, and its predicate keeps conditions that hold
@T.prim_func
def main(a: T.handle, b: T.handle):
    m = T.int64()
    A = T.match_buffer(a, (T.int64(32), m), "float32")
    B = T.match_buffer(b, (T.int64(32), m), "float32")
    C = T.alloc_buffer((T.int64(32), m), "float32")
    for i, j in T.grid(T.int64(32), m):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(T.int64(32), m):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    fused = sch.fuse(*sch.get_loops("c"))
    outer, inner = sch.split(fused, [None, 64])
    sch.reverse_compute_at("b", outer)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle):
    m = T.int64()
    A = T.match_buffer(a, (T.int64(32), m))
    B = T.match_buffer(b, (T.int64(32), m))
    # with T.block("root"):
    C = T.alloc_buffer((T.int64(32), m))
    for i_j_fused_0 in range((m * T.int64(32) + T.int64(63)) // T.int64(64)):
        for i_j_fused_1 in range(T.int64(64)):
            with T.block("c"):
                vi = T.axis.spatial(T.int64(32), (i_j_fused_0 * T.int64(64) + i_j_fused_1) // m)
                vj = T.axis.spatial(m, (i_j_fused_0 * T.int64(64) + i_j_fused_1) % m)
                T.where(i_j_fused_0 * T.int64(64) + i_j_fused_1 < m * T.int64(32))
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for ax0, ax1 in T.grid((i_j_fused_0 * T.int64(64) + T.int64(63)) // m + T.int64(1) - i_j_fused_0 * T.int64(64) // m, m):
            with T.block("b"):
                vi = T.axis.spatial(T.int64(32), i_j_fused_0 * T.int64(64) // m + ax0)
                vj = T.axis.spatial(m, ax1)
                T.where(i_j_fused_0 * T.int64(64) // m + ax0 < T.int64(32))
                T.reads(C[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = C[vi, vj] + T.float32(1)
