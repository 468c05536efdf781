@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.block  # error: TS2011 "T.block"
