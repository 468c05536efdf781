@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    ä = "ü"; A[m] = 1.0  # error: TS2003 "m]"
