# The digits of a loop that is fused of symbolic extents; a size of all stays with them where it is another product.
@T.prim_func
def before(a: T.handle, b: T.handle):
    n, m = T.int32(), T.int32()
    A = T.match_buffer(a, (n, m, 8))
    B = T.match_buffer(b, (n, m, 8))
    for i, j, k in T.grid(n, m, 8):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi, vj, vk] = A[vi, vj, vk] + T.float32(1)

# schedule
def schedule(sch):
    sch.fuse(*sch.get_loops("B"))

# after
# from tvm.script import tir as T

@T.prim_func
def before(a: T.handle, b: T.handle):
    n, m = T.int32(), T.int32()
    A = T.match_buffer(a, (n, m, 8))
    B = T.match_buffer(b, (n, m, 8))
    # with T.block("root"):
    for i_j_k_fused in range(n * m * 8):
        with T.block("B"):
            vi = T.axis.spatial(n, i_j_k_fused % (8 * m * n) // (8 * m))
            vj = T.axis.spatial(m, i_j_k_fused % (8 * m) // 8)
            vk = T.axis.spatial(8, i_j_k_fused % 8)
            T.reads(A[vi, vj, vk])
            T.writes(B[vi, vj, vk])
            B[vi, vj, vk] = A[vi, vj, vk] + T.float32(1)
