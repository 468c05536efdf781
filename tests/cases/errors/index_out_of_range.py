@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[(1, 2)[2]] = 1.0  # error: TS2025 "2]]"

# output
error[TS2025]: [2]: (1, 2) has 2 elements
 --> <text>:3:14
  |
3 |     A[(1, 2)[2]] = 1.0  # error: TS2025 "2]]"
  |              ^
