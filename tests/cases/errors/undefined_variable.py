@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    m = T.int32()
    A[m] = 1.0  # error: TS1101 "A[m]"
