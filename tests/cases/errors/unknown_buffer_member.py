@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[A.size] = 1.0  # error: TS2004 "A.size"
