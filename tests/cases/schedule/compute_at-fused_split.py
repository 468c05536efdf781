# The digits of a fused loop that is split are in the bounds of their axes too: sizes are at least 0, and divisors not 0.
# differs from TVM: it keeps a predicate that always holds
@T.prim_func
def main(a: T.handle, b: T.handle):
    n, m = T.int64(), T.int64()
    A = T.match_buffer(a, (n, T.int64(32), m), "float32")
    B = T.match_buffer(b, (n, T.int64(32), m), "float32")
    C = T.alloc_buffer((n, T.int64(32), m), "float32")
    for i, j, k in T.grid(n, T.int64(32), m):
        with T.block("c"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            C[vi, vj, vk] = A[vi, vj, vk] + T.float32(1)
    for i, j, k in T.grid(n, T.int64(32), m):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi, vj, vk] = C[vi, vj, vk] + T.float32(1)

# schedule
def schedule(sch):
    fused = sch.fuse(*sch.get_loops("b"))
    outer, inner = sch.split(fused, [None, 64])
    sch.compute_at("c", inner)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle):
    n, m = T.int64(), T.int64()
    A = T.match_buffer(a, (n, T.int64(32), m))
    B = T.match_buffer(b, (n, T.int64(32), m))
    # with T.block("root"):
    C = T.alloc_buffer((n, T.int64(32), m))
    for i_j_k_fused_0, i_j_k_fused_1 in T.grid((n * m * T.int64(32) + T.int64(63)) // T.int64(64), T.int64(64)):
        with T.block("c"):
            vi = T.axis.spatial(n, (i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1) % (m * n * T.int64(32)) // (m * T.int64(32)))
            vj = T.axis.spatial(T.int64(32), (i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1) % (m * T.int64(32)) // m)
            vk = T.axis.spatial(m, (i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1) % m)
            T.reads(A[vi, vj, vk])
            T.writes(C[vi, vj, vk])
            C[vi, vj, vk] = A[vi, vj, vk] + T.float32(1)
        with T.block("b"):
            vi = T.axis.spatial(n, (i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1) % (m * T.int64(32) * n) // (m * T.int64(32)))
            vj = T.axis.spatial(T.int64(32), (i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1) % (m * T.int64(32)) // m)
            vk = T.axis.spatial(m, (i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1) % m)
            T.where(i_j_k_fused_0 * T.int64(64) + i_j_k_fused_1 < n * m * T.int64(32))
            T.reads(C[vi, vj, vk])
            T.writes(B[vi, vj, vk])
            B[vi, vj, vk] = C[vi, vj, vk] + T.float32(1)
