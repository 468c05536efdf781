@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(f"{1:4}")  # error: TS2005 'f"'

# output
error[TS2005]: a format specification is not supported here
 --> <text>:3:16
  |
3 |     T.evaluate(f"{1:4}")  # error: TS2005 'f"'
  |                ^^^^^^^^
