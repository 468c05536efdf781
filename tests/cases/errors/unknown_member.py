@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = T.expp(A[0])  # error: TS2004 "T.expp"

# output
error[TS2004]: T has no expp
 --> <text>:3:12
  |
3 |     A[0] = T.expp(A[0])  # error: TS2004 "T.expp"
  |            ^^^^^^
hint: did you mean T.exp?
