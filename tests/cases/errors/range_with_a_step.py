@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(0, 8, 2):  # error: TS1003 "2)"
        A[i] = 1.0
