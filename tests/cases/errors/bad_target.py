@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("-mcpu")})  # error: TS1030 "T.target"
    A[0] = 1.0
