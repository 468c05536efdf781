# pass: tir.RewriteUnsafeSelect
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = T.Select(i < 4, A[i], 0) + T.Select(A[i] < 4, 1, n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = T.if_then_else(i < 4, A[i], 0) + T.Select(A[i] < 4, 1, n)
