@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for A[0] in range(4):  # error: TS2012 "A[0]"
        pass

# output
error[TS2012]: an element cannot be assigned to
 --> <text>:3:9
  |
3 |     for A[0] in range(4):  # error: TS2012 "A[0]"
  |         ^^^^
hint: assign to a name or to an element of a buffer
