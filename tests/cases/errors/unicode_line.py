@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    ä = "ü"; A[m] = 1.0  # error: TS2003 "m]"

# output
error[TS2003]: m is not defined
 --> <text>:3:16
  |
3 |     ä = "ü"; A[m] = 1.0  # error: TS2003 "m]"
  |                ^
hint: assign it before its use, or add a parameter
