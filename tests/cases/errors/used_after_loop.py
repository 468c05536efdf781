@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        A[i] = 1.0
    A[i] = 2.0  # error: TS2003 "i"
