@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[A.size] = 1.0  # error: TS2004 "A.size"

# output
error[TS2004]: the buffer A has no size
 --> <text>:3:7
  |
3 |     A[A.size] = 1.0  # error: TS2004 "A.size"
  |       ^^^^^^
