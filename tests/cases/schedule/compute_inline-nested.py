# Readers inside of other blocks read what the value needs, and so do the blocks around them.
@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi]
    for i in range(4):
        with T.block("outer"):
            vi = T.axis.spatial(4, i)
            for k, j in T.grid(4, 16):
                with T.block("C"):
                    vk, vj = T.axis.remap("SS", [k, j])
                    C[vi * 4 + vk, vj] = B[vi * 4 + vk, vj] + T.float32(1)

# schedule
def schedule(sch):
    sch.compute_inline("B")

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block("outer"):
            vi = T.axis.spatial(4, i)
            T.reads(A[0:16, vi * 4:vi * 4 + 4])
            T.writes(C[vi * 4:vi * 4 + 4, 0:16])
            for k, j in T.grid(4, 16):
                with T.block("C"):
                    vk, vj = T.axis.remap("SS", [k, j])
                    T.reads(A[vj, vi * 4 + vk])
                    T.writes(C[vi * 4 + vk, vj])
                    C[vi * 4 + vk, vj] = A[vj, vi * 4 + vk] + T.float32(1)
