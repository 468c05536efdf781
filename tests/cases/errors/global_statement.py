@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    global x  # error: TS2005 "global x"

# output
error[TS2005]: global is not supported here
 --> <text>:3:5
  |
3 |     global x  # error: TS2005 "global x"
  |     ^^^^^^^^
hint: store the value in a buffer
