@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.func_attr({"a": T.block})  # error: TS1010 "T.func_attr"
    A[0] = 1.0
