@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in n:  # error: TS2009 "n:"
        A[i] = 1.0

# output
error[TS2009]: for cannot iterate over the variable n
 --> <text>:3:14
  |
3 |     for i in n:  # error: TS2009 "n:"
  |              ^
hint: write range(n)
