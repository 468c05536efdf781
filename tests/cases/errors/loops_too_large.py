@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in (0, 1):
        for y in (n,) * 20000:  # error: TS2026 "for y"
            A[y] = 1.0
