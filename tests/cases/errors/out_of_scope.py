@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = T.int32()
    with T.let(x, n):
        A[x] = 1.0
    A[x] = 2.0  # error: TS1101 "A[x]"
