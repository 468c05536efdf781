# pass: tir.RewriteUnsafeSelect
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    B[0] = T.Select(n < 4, T.popcount(n), T.popcount(A[0]))
    B[1] = T.Select(n < 4, T.shift_left(n, 2), 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    B[0] = T.if_then_else(n < 4, T.popcount(n), T.popcount(A[0]))
    B[1] = T.Select(n < 4, T.shift_left(n, 2), 0)
