@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    m = T.int32()
    A[m] = 1.0  # error: TS1101 "A[m]"

# output
error[TS1101]: the variable m is used where it is not defined
 --> <text>:4:5
  |
4 |     A[m] = 1.0  # error: TS1101 "A[m]"
  |     ^^^^^^^^^^
hint: give it a value around its use: with T.let(m, value):
