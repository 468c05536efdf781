# A block writes its elements where a map of its axes puts them, and a new block copies them.
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
    sch.reindex_cache_write("C", 0, "shared", lambda i, j, k: (i * 16 + j,))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    C_shared = T.alloc_buffer((256,), scope="shared")
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C_shared[vi * 16 + vj])
            with T.init():
                C_shared[vi * 16 + vj] = T.float32(0)
            C_shared[vi * 16 + vj] = C_shared[vi * 16 + vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid(16, 16):
        with T.block("C_shared"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(C_shared[vi * 16 + vj])
            T.writes(C[vi, vj])
            C[vi, vj] = C_shared[vi * 16 + vj]
