@T.prim_func
def main(a: T.int32):
    A = T.match_buffer(a, (4,), "float32")  # error: TS1003 "a, (4,)"
    A[0] = T.float32(0)
