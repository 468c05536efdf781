@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = T.float16(1) + T.bfloat16(2)  # error: TS1002 "T.float16(1) + "
