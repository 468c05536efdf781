@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A.data = n  # error: TS2012 "A.data"
