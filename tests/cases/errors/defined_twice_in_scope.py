@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = n + 1
    x = n + 2  # error: TS2008 "x"
    A[x] = 1.0

# output
error[TS2008]: x is already defined in this scope
 --> <text>:4:5
  |
4 |     x = n + 2  # error: TS2008 "x"
  |     ^
hint: variables are immutable: use a new name, or a buffer
