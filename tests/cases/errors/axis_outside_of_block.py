@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    v = T.axis.spatial(16, n)  # error: TS2017 "T.axis"
    A[v] = 1.0
