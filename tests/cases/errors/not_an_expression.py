@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = A  # error: TS2014 "A  #"
