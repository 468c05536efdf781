@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = T.exp(A[0], A[1])  # error: TS1006 "T.exp"
