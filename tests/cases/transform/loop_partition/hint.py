# pass: tir.LoopPartition(partition_const_loop=True)
# differs from TVM: it wants the loop's variable at the pragma
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    with T.attr(0, "pragma_loop_partition_hint", 1):
        for i in range(16):
            A[i] = T.if_then_else(i > 0 and i < 15, B[i], 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = T.if_then_else(T.GT(0, 0) and T.LT(0, 15), B[0], 0)
    for i in range(14):
        A[i + 1] = T.if_then_else(T.And(T.bool(True), T.bool(True)), B[i + 1], 0)
    A[T.Add(0, 15)] = T.if_then_else(T.Add(0, 15) > 0 and T.Add(0, 15) < 15, B[T.Add(0, 15)], 0)
