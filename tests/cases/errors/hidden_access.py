@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        with T.block("x"):  # error: TS1040 "T.block"
            v = T.axis.spatial(4, i)
            T.call_extern("int32", "f", A.data, v)
