@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i, j in T.grid(4, 4, 4):  # error: TS2013 "i, j"
        A[i] = 1.0
