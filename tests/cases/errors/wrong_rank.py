@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0, n] = 1.0  # error: TS1005 "A[0, n]"
