@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    global x  # error: TS2005 "global x"
