@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = n + 1
    if n > 0:
        x = n + 2
        A[x] = 1.0
    A[x] = 2.0  # error: TS2032 "x]"
    for i in range(4):
        for i in range(4):
            A[i] = 1.0
        A[i] = 2.0  # error: TS2032 "i]"
