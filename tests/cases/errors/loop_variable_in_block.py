@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        with T.block("x"):
            v = T.axis.spatial(16, i)
            T.reads()
            T.writes(A[v])
            A[i] = 1.0  # error: TS1103 "A[i]"
