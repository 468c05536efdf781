@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    global x  # error: TS2005 "global x"

# output
error[TS2005]: global has no meaning here
 --> <text>:3:5
  |
3 |     global x  # error: TS2005 "global x"
  |     ^^^^^^^^
hint: write into a buffer
