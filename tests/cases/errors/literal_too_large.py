@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[T.int8(300)] = 1.0  # error: TS1004 "T.int8(300)"

# output
error[TS1004]: 300 does not fit in int8
 --> <text>:3:7
  |
3 |     A[T.int8(300)] = 1.0  # error: TS1004 "T.int8(300)"
  |       ^^^^^^^^^^^
hint: use a wider type
