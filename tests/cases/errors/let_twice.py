@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = T.int32()
    with T.let(x, n):
        with T.let(x, n + 1):  # error: TS1102 "T.let"
            A[x] = 1.0
