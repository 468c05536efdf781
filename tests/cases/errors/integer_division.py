@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[n / 2] = 1.0  # error: TS1003 "n / 2"
