# The size that a buffer is padded to is a condition, and the size of the axis is another, as TVM writes them.
@T.prim_func
def before(a: T.handle, c: T.handle):
    m = T.int64()
    A = T.match_buffer(a, (m, T.int64(16)))
    C = T.match_buffer(c, (m, T.int64(16)))
    B = T.alloc_buffer(((m + T.int64(3)) // T.int64(4) * T.int64(4), T.int64(16)))
    for i, j in T.grid((m + T.int64(3)) // T.int64(4) * T.int64(4), T.int64(16)):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.if_then_else(vi < m, A[vi, vj], T.float32(0))
    for i, j in T.grid(m, T.int64(16)):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    i, j = sch.get_loops("B")
    i0, i1 = sch.split(i, [None, 4])
    sch.reverse_compute_at("C", i0)

# after
# from tvm.script import tir as T

@T.prim_func
def before(a: T.handle, c: T.handle):
    m = T.int64()
    A = T.match_buffer(a, (m, T.int64(16)))
    C = T.match_buffer(c, (m, T.int64(16)))
    # with T.block("root"):
    B = T.alloc_buffer(((m + T.int64(3)) // T.int64(4) * T.int64(4), T.int64(16)))
    for i_0 in range((m + T.int64(3)) // T.int64(4)):
        for i_1, j in T.grid(T.int64(4), T.int64(16)):
            with T.block("B"):
                vi = T.axis.spatial((m + T.int64(3)) // T.int64(4) * T.int64(4), i_0 * T.int64(4) + i_1)
                vj = T.axis.spatial(T.int64(16), j)
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = T.if_then_else(vi < m, A[vi, vj], T.float32(0))
        for ax0, ax1 in T.grid(T.int64(4), T.int64(16)):
            with T.block("C"):
                vi = T.axis.spatial(m, i_0 * T.int64(4) + ax0)
                vj = T.axis.spatial(T.int64(16), ax1)
                T.where((i_0 - (m + T.int64(3)) // T.int64(4) < T.int64(0) or i_0 == T.int64(0)) and i_0 * T.int64(4) + ax0 < m)
                T.reads(B[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] + T.float32(1)
