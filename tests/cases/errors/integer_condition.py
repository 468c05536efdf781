@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    if n:  # error: TS2021 "n:"
        A[0] = 1.0
