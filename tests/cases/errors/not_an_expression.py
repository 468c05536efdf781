@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = A  # error: TS2014 "A  #"

# output
error[TS2014]: the buffer A is not an expression
 --> <text>:3:12
  |
3 |     A[0] = A  # error: TS2014 "A  #"
  |            ^
hint: write an element of it: A[...]
