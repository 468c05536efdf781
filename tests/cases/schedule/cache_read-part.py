# In a block, the copy is as large as what the block reads.
@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    for i0, j0 in T.grid(4, 4):
        with T.block("tile"):
            vi, vj = T.axis.remap("SS", [i0, j0])
            B = T.alloc_buffer((32, 32))
            for i, j in T.grid(8, 8):
                with T.block("B"):
                    bi = T.axis.spatial(32, vi * 8 + i)
                    bj = T.axis.spatial(32, vj * 8 + j)
                    B[bi, bj] = A[bi, bj] * T.float32(2)
            for i, j in T.grid(8, 8):
                with T.block("C"):
                    ci = T.axis.spatial(32, vi * 8 + i)
                    cj = T.axis.spatial(32, vj * 8 + j)
                    C[ci, cj] = B[ci, cj] + T.float32(1)

# schedule
def schedule(sch):
    sch.cache_read("B", "A", "shared")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    # with T.block("root"):
    for i0, j0 in T.grid(4, 4):
        with T.block("tile"):
            vi, vj = T.axis.remap("SS", [i0, j0])
            T.reads(A[vi * 8:vi * 8 + 8, vj * 8:vj * 8 + 8])
            T.writes(C[vi * 8:vi * 8 + 8, vj * 8:vj * 8 + 8])
            B = T.alloc_buffer((32, 32))
            A_shared = T.alloc_buffer((8, 8), scope="shared")
            for ax0, ax1 in T.grid(8, 8):
                with T.block("A_shared"):
                    v0, v1 = T.axis.remap("SS", [ax0, ax1])
                    T.reads(A[vi * 8 + v0, vj * 8 + v1])
                    T.writes(A_shared[v0, v1])
                    A_shared[v0, v1] = A[vi * 8 + v0, vj * 8 + v1]
            for i, j in T.grid(8, 8):
                with T.block("B"):
                    bi = T.axis.spatial(32, vi * 8 + i)
                    bj = T.axis.spatial(32, vj * 8 + j)
                    T.reads(A_shared[bi - vi * 8, bj - vj * 8])
                    T.writes(B[bi, bj])
                    B[bi, bj] = A_shared[bi - vi * 8, bj - vj * 8] * T.float32(2)
            for i, j in T.grid(8, 8):
                with T.block("C"):
                    ci = T.axis.spatial(32, vi * 8 + i)
                    cj = T.axis.spatial(32, vj * 8 + j)
                    T.reads(B[ci, cj])
                    T.writes(C[ci, cj])
                    C[ci, cj] = B[ci, cj] + T.float32(1)
