@T.prim_func
def f(a: T.handle):
    n = T.int32()  # error: TS1101 "T.int32()"
    A = T.match_buffer(a, (n * 2,), "float64")
    for i in range(n):
        A[i] = T.float64(0)
