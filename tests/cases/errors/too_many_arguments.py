@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = T.exp(A[0], A[1])  # error: TS1006 "T.exp"

# output
error[TS1006]: T.exp takes 1 argument (x), but got 2
 --> <text>:3:12
  |
3 |     A[0] = T.exp(A[0], A[1])  # error: TS1006 "T.exp"
  |            ^^^^^^^^^^^^^^^^^
