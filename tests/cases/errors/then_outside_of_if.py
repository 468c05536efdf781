@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.Then():  # error: TS2017 "T.Then"
        A[0] = 1.0
