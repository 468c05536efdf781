@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = n + 1
    x = n + 2  # error: TS2008 "x"
    A[x] = 1.0
