# The digits of a fused loop are in the bounds of their axes, so that no predicate is left.
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (T.int64(32), n), "float32")
    B = T.match_buffer(b, (T.int64(32), n), "float32")
    C = T.alloc_buffer((T.int64(32), n), "float32")
    for i, j in T.grid(T.int64(32), n):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(T.int64(32), n):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[vi, vj] + T.float32(1)

# schedule
def schedule(sch):
    b = sch.get_block("b")
    i, j = sch.get_loops(b)
    f = sch.fuse(i, j)
    sch.compute_at(sch.get_block("c"), f)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (T.int64(32), n))
    B = T.match_buffer(b, (T.int64(32), n))
    # with T.block("root"):
    C = T.alloc_buffer((T.int64(32), n))
    for i_j_fused in range(n * T.int64(32)):
        with T.block("c"):
            vi = T.axis.spatial(T.int64(32), i_j_fused // n)
            vj = T.axis.spatial(n, i_j_fused % n)
            T.reads(A[vi, vj])
            T.writes(C[vi, vj])
            C[vi, vj] = A[vi, vj] + T.float32(1)
        with T.block("b"):
            vi = T.axis.spatial(T.int64(32), i_j_fused // n)
            vj = T.axis.spatial(n, i_j_fused % n)
            T.reads(C[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = C[vi, vj] + T.float32(1)
