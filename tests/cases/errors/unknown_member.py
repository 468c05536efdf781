@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = T.expp(A[0])  # error: TS2004 "T.expp"
