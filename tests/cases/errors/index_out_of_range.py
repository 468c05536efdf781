@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[(1, 2)[2]] = 1.0  # error: TS2025 "(1, 2)[2]"

# output
error[TS2025]: []: tuple index out of range
 --> <text>:3:7
  |
3 |     A[(1, 2)[2]] = 1.0  # error: TS2025 "(1, 2)[2]"
  |       ^^^^^^^^^
