@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[T.int8(300)] = 1.0  # error: TS1004 "T.int8(300)"
