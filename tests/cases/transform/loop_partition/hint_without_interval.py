# pass: tir.LoopPartition(unroll_loop_with_partition_hint_no_interval=True, partition_const_loop=True)
# differs from TVM: it wants the loop's variable at the pragma
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    with T.attr(0, "pragma_loop_partition_hint", 1):
        for i in range(8):
            A[i] = T.if_then_else(i < 2, B[i], 0)
            B[i + 8] = T.if_then_else(i >= 2, B[i], 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.unroll(8):
        A[i] = T.if_then_else(i < 2, B[i], 0)
        B[i + 8] = T.if_then_else(i >= 2, B[i], 0)
