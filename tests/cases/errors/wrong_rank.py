@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0, n] = 1.0  # error: TS1005 "A[0, n]"

# output
error[TS1005]: buffer A has 1 dimensions, but 2 indices are given
 --> <text>:3:5
  |
3 |     A[0, n] = 1.0  # error: TS1005 "A[0, n]"
  |     ^^^^^^^
hint: write one index for each dimension
