# pass: tir.RewriteUnsafeSelect
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = T.Select(i < 4, T.Select(i < 2, A[i], 0), 0)
        A[i] = T.Select(i < 4, T.Select(A[i] < 2, 1, 0), 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = T.Select(i < 4, T.if_then_else(i < 2, A[i], 0), 0)
        A[i] = T.if_then_else(i < 4, T.Select(A[i] < 2, 1, 0), 0)
