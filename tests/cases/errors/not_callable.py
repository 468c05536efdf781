@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[n(1)] = 1.0  # error: TS2006 "n(1)"
