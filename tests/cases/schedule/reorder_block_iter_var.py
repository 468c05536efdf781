# The axes of a block are in the order given, by their numbers.
@T.prim_func
def before(A: T.Buffer((16, 32), "float32"), B: T.Buffer((32, 8), "float32"), C: T.Buffer((16, 8), "float32")):
    for i, j, k in T.grid(16, 8, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# schedule
def schedule(sch):
    sch.reorder_block_iter_var(sch.get_block("C"), [2, 0, 1])

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16, 32), "float32"), B: T.Buffer((32, 8), "float32"), C: T.Buffer((16, 8), "float32")):
    # with T.block("root"):
    for i, j, k in T.grid(16, 8, 32):
        with T.block("C"):
            vk, vi, vj = T.axis.remap("RSS", [k, i, j])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
