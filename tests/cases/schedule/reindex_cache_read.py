# The elements that a block reads are copied to where a map of its axes puts them.
@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# schedule
def schedule(sch):
    sch.reindex_cache_read("C", 1, "shared", lambda i, j, k: (j, k // 4, k % 4))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    B_shared = T.alloc_buffer((16, 4, 4), scope="shared")
    for j, k in T.grid(16, 16):
        with T.block("B_shared"):
            vj, vk = T.axis.remap("SS", [j, k])
            T.reads(B[vk, vj])
            T.writes(B_shared[vj, vk // 4, vk % 4])
            B_shared[vj, vk // 4, vk % 4] = B[vk, vj]
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B_shared[vj, vk // 4, vk % 4])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B_shared[vj, vk // 4, vk % 4]
