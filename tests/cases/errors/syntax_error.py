@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    A[0] = (1.0  # error: TS2001 "(1.0"
    A[1] = 2.0

# output
error[TS2001]: the text is not valid Python: '(' was never closed
 --> <text>:3:12
  |
3 |     A[0] = (1.0  # error: TS2001 "(1.0"
  |            ^
