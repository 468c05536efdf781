# pass: tir.VectorizeLoop
# What does not depend on the lane is computed once.
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.vectorized(8):
        B[i] = A[T.if_then_else(n > 0, 1, 2)] + i
    for i in T.vectorized(8):
        B[T.if_then_else(n > 0, 1, 2) * 8 + i] = A[i]
    m = T.int32()
    for i in T.vectorized(8):
        B[i + 32] = A[T.Let(3 - m, where={m: n % 4})]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    B[0:8] = T.Ramp(A[T.if_then_else(n > 0, 1, 2)], 1, 8)
    B[T.if_then_else(n > 0, 1, 2) * 8:T.if_then_else(n > 0, 1, 2) * 8 + 8] = A[0:8]
    m = T.int32()
    B[32:40] = T.Broadcast(A[T.Let(3 - m, where={m: n % 4})], 8)
