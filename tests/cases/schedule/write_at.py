# In each iteration of a loop, what was written there is copied to the buffer.
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
    sch.write_at(j0, sch.get_block("C"), 0, "local")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    C_local = T.alloc_buffer((16, 16), scope="local")
    for i0, j0 in T.grid(2, 2):
        for k0, i, j, k in T.grid(2, 8, 8, 8):
            with T.block("C"):
                vi = T.axis.spatial(16, i0 * 8 + i)
                vj = T.axis.spatial(16, j0 * 8 + j)
                vk = T.axis.reduce(16, k0 * 8 + k)
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C_local[vi, vj])
                with T.init():
                    C_local[vi, vj] = T.float32(0)
                C_local[vi, vj] = C_local[vi, vj] + A[vi, vk] * B[vk, vj]
        with T.block("C_local"):
            v0, v1 = T.axis.remap("SS", [i0, j0])
            T.reads(C_local[v0 * 8:v0 * 8 + 8, v1 * 8:v1 * 8 + 8])
            T.writes(C[v0 * 8:v0 * 8 + 8, v1 * 8:v1 * 8 + 8])
            T.block_attr({"auto_copy": 1})
            for ax0, ax1 in T.grid(8, 8):
                C[v0 * 8 + ax0, v1 * 8 + ax1] = C_local[v0 * 8 + ax0, v1 * 8 + ax1]
