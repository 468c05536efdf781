# In each iteration of a loop, what is read there is copied.
@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i0, j0, k0, i, j, k in T.grid(2, 2, 2, 8, 8, 8):
        with T.block("C"):
            vi = T.axis.spatial(16, i0 * 8 + i)
            vj = T.axis.spatial(16, j0 * 8 + j)
            vk = T.axis.reduce(16, k0 * 8 + k)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# schedule
def schedule(sch):
    i0, j0, k0, i, j, k = sch.get_loops("C")
    sch.read_at(k0, sch.get_block("C"), 0, "shared")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    A_shared = T.alloc_buffer((16, 16), scope="shared")
    for i0, j0, k0 in T.grid(2, 2, 2):
        with T.block("A_shared"):
            v0, v1 = T.axis.remap("SS", [i0, k0])
            T.reads(A[v0 * 8:v0 * 8 + 8, v1 * 8:v1 * 8 + 8])
            T.writes(A_shared[v0 * 8:v0 * 8 + 8, v1 * 8:v1 * 8 + 8])
            T.block_attr({"auto_copy": 1})
            for ax0, ax1 in T.grid(8, 8):
                A_shared[v0 * 8 + ax0, v1 * 8 + ax1] = A[v0 * 8 + ax0, v1 * 8 + ax1]
        for i, j, k in T.grid(8, 8, 8):
            with T.block("C"):
                vi = T.axis.spatial(16, i0 * 8 + i)
                vj = T.axis.spatial(16, j0 * 8 + j)
                vk = T.axis.reduce(16, k0 * 8 + k)
                T.reads(A_shared[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A_shared[vi, vk] * B[vk, vj]
