@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[n / 2] = 1.0  # error: TS1003 "n / 2"

# output
error[TS1003]: / takes floats, but got int32
 --> <text>:3:7
  |
3 |     A[n / 2] = 1.0  # error: TS1003 "n / 2"
  |       ^^^^^
hint: use // (rounds down) or T.truncdiv (rounds towards zero) on integers
