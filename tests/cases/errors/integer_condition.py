@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    if n:  # error: TS2021 "n:"
        A[0] = 1.0

# output
error[TS2021]: the variable n is not a condition
 --> <text>:3:8
  |
3 |     if n:  # error: TS2021 "n:"
  |        ^
hint: write != 0 after it
