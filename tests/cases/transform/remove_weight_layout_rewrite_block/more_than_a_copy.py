# pass: tir.RemoveWeightLayoutRewriteBlock
# raises: NoWeightLayout
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    # with T.block("root"):
    A_ = T.alloc_buffer((4,))
    for a in range(4):
        with T.block("layout_rewrite"):
            i0 = T.axis.spatial(4, a)
            T.reads(A[i0])
            T.writes(A_[i0])
            T.block_attr({"meta_schedule.layout_rewrite_preproc": T.bool(True)})
            A_[i0] = A[i0] * T.float32(2)
    for a in range(4):
        with T.block("C"):
            i0 = T.axis.spatial(4, a)
            T.reads(A_[i0])
            T.writes(C[i0])
            C[i0] = A_[i0]

# after
error[TS4024]: block layout_rewrite cannot be applied to the weight in advance: it must only copy one element
 --> <text>:8:14
  |
8 |         with T.block("layout_rewrite"):
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^
