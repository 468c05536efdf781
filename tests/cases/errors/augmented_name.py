@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = n + 1
    x += 1  # error: TS2008 "x"

# output
error[TS2008]: x is already defined in this scope
 --> <text>:4:5
  |
4 |     x += 1  # error: TS2008 "x"
  |     ^
hint: variables are immutable: use a new name, or a buffer
