@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A.data = n  # error: TS2012 "A.data"

# output
error[TS2012]: an attribute cannot be assigned to
 --> <text>:3:5
  |
3 |     A.data = n  # error: TS2012 "A.data"
  |     ^^^^^^
hint: assign to a name or to an element of a buffer
