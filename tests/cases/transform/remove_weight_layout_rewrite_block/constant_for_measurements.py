# pass: tir.RemoveWeightLayoutRewriteBlock(skip_ndarray_rewrite=True)
# differs from TVM: it uses a buffer of its own for each access of the constant
# values: not compared: the constant has the new shape alone
# from tvm.script import tir as T

@T.prim_func
def main(C: T.Buffer((4,), "float32")):
    # with T.block("root"):
    K_1 = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 8], "float32", [4, 2])
    with T.block("root"):
        T.reads()
        T.writes()
        K_ = T.alloc_buffer((2, 4))
        for a, b in T.grid(4, 2):
            with T.block("layout_rewrite"):
                i0, i1 = T.axis.remap("SS", [a, b])
                K_1_1 = T.Buffer((4, 2), data=K_1)
                T.reads(K_1_1[i0, i1])
                T.writes(K_[i1, i0])
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                K_[i1, i0] = K_1_1[i0, i1]
        for a in range(4):
            with T.block("C"):
                i0 = T.axis.spatial(4, a)
                T.reads(K_[1, i0])
                T.writes(C[i0])
                C[i0] = K_[1, i0] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(C: T.Buffer((4,), "float32")):
    # with T.block("root"):
    K_1 = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 8], "float32", [2, 4])
    with T.block("root"):
        T.reads()
        T.writes()
        for a, b in T.grid(4, 2):
            with T.block("layout_rewrite"):
                i0, i1 = T.axis.remap("SS", [a, b])
                T.reads()
                T.writes()
                T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
                T.evaluate(0)
        for a in range(4):
            with T.block("C"):
                i0 = T.axis.spatial(4, a)
                K_1_1 = T.Buffer((2, 4), data=K_1)
                T.reads(K_1_1[1, i0])
                T.writes(C[i0])
                C[i0] = K_1_1[1, i0] * T.float32(2)
