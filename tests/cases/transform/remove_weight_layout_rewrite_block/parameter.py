# pass: tir.RemoveWeightLayoutRewriteBlock
# values: not compared: a parameter comes in another layout
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8), "float32"), B: T.Buffer((8, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    # with T.block("root"):
    B_ = T.alloc_buffer((4, 2, 4))
    for i0_o, i1_o in T.grid(8, 4):
        with T.block("layout_rewrite"):
            i0, i1 = T.axis.remap("SS", [i0_o, i1_o])
            T.reads(B[i0, i1])
            T.writes(B_[i1, i0 // 4, i0 % 4])
            T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
            B_[i1, i0 // 4, i0 % 4] = B[i0, i1]
    for i, j, k in T.grid(4, 4, 8):
        with T.block("matmul"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B_[vj, vk // 4, vk % 4])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B_[vj, vk // 4, vk % 4]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8), "float32"), B_: T.Buffer((4, 2, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    # with T.block("root"):
    for i0_o, i1_o in T.grid(8, 4):
        with T.block("layout_rewrite"):
            i0, i1 = T.axis.remap("SS", [i0_o, i1_o])
            T.reads()
            T.writes()
            T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
            T.evaluate(0)
    for i, j, k in T.grid(4, 4, 8):
        with T.block("matmul"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B_[vj, vk // 4, vk % 4])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B_[vj, vk // 4, vk % 4]
