@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    B = T.Buffer((16,))
    A[0] = B[0]  # error: TS1104 "B[0]"
