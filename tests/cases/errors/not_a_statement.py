@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.block  # error: TS2011 "T.block"

# output
error[TS2011]: T.block is not a statement
 --> <text>:3:5
  |
3 |     T.block  # error: TS2011 "T.block"
  |     ^^^^^^^
hint: call it: T.block(...)
