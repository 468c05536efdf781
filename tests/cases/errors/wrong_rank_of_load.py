@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = 1.0 + A[0, n]  # error: TS1005 "A[0, n]"
