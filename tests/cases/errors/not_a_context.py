@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with n:  # error: TS2010 "n:"
        A[0] = 1.0
