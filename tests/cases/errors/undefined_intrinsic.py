@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = exp(A[0])  # error: TS2003 "exp"

# output
error[TS2003]: exp is not defined
 --> <text>:3:12
  |
3 |     A[0] = exp(A[0])  # error: TS2003 "exp"
  |            ^^^
hint: write T.exp
