@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.block("x"):
        T.reads(A[0])
        T.reads(A[1])  # error: TS2018 "T.reads"
        A[0] = 1.0
