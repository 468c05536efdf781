@T.prim_func
def main(a: T.int32):
    A = T.match_buffer(a, (4,), "float32")  # error: TS1003 "a, (4,)"
    A[0] = T.float32(0)

# output
error[TS1003]: T.match_buffer takes a parameter of type T.handle, but got int32
 --> <text>:3:24
  |
3 |     A = T.match_buffer(a, (4,), "float32")  # error: TS1003 "a, (4,)"
  |                        ^
