@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    A[0] = A[1] % A[2]  # error: TS1003 "A[1] % A[2]"
