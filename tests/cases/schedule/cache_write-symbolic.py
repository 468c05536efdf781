# The predicate of a split loop is about the extent of the buffer, not about loops outside: all of it is written.
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(8)), "float32")
    B = T.match_buffer(b, (n, T.int64(8)), "float32")
    for i, j in T.grid(n, T.int64(8)):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    f = sch.fuse(*sch.get_loops("b"))
    sch.split(f, [None, 16])
    sch.cache_write("b", 0, "local")

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(8)))
    B = T.match_buffer(b, (n, T.int64(8)))
    # with T.block("root"):
    B_local = T.alloc_buffer((n, T.int64(8)), scope="local")
    for i_j_fused_0, i_j_fused_1 in T.grid((n * T.int64(8) + T.int64(15)) // T.int64(16), T.int64(16)):
        with T.block("b"):
            vi = T.axis.spatial(n, (i_j_fused_0 * T.int64(16) + i_j_fused_1) // T.int64(8))
            vj = T.axis.spatial(T.int64(8), (i_j_fused_0 * T.int64(16) + i_j_fused_1) % T.int64(8))
            T.where(i_j_fused_0 * T.int64(16) + i_j_fused_1 < n * T.int64(8))
            T.reads(A[vi, vj])
            T.writes(B_local[vi, vj])
            B_local[vi, vj] = A[vi, vj] + T.float32(1)
    for ax0, ax1 in T.grid(n, T.int64(8)):
        with T.block("B_local"):
            v0, v1 = T.axis.remap("SS", [ax0, ax1])
            T.reads(B_local[v0, v1])
            T.writes(B[v0, v1])
            B[v0, v1] = B_local[v0, v1]
