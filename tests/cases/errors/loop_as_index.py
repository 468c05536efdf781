@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[range(4)] = 1.0  # error: TS2014 "range(4)"

# output
error[TS2014]: a loop is not an expression
 --> <text>:3:7
  |
3 |     A[range(4)] = 1.0  # error: TS2014 "range(4)"
  |       ^^^^^^^^
