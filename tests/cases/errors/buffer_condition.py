@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    if A:  # error: TS2021 "A:"
        A[0] = 1.0

# output
error[TS2021]: the buffer A is not a condition
 --> <text>:3:8
  |
3 |     if A:  # error: TS2021 "A:"
  |        ^
hint: write a comparison
