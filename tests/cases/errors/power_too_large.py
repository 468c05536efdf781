@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[10**10**10] = 1.0  # error: TS2026 "10**10**10"

# output
error[TS2026]: the result of the operator ** is too large
 --> <text>:3:7
  |
3 |     A[10**10**10] = 1.0  # error: TS2026 "10**10**10"
  |       ^^^^^^^^^^
