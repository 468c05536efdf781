@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i, j in T.grid(4, 4, 4):  # error: TS2013 "i, j"
        A[i] = 1.0

# output
error[TS2013]: 2 names for 3 values
 --> <text>:3:9
  |
3 |     for i, j in T.grid(4, 4, 4):  # error: TS2013 "i, j"
  |         ^^^^
hint: write one name for each value
