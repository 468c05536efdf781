@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.block("x"):
        v = T.axis.remap("S", [n])  # error: TS2019 "T.axis"
        A[v] = 1.0
