@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    A[0] = A[1] % A[2]  # error: TS1003 "A[1] % A[2]"

# output
error[TS1003]: % takes integers, but got float32
 --> <text>:3:12
  |
3 |     A[0] = A[1] % A[2]  # error: TS1003 "A[1] % A[2]"
  |            ^^^^^^^^^^^
hint: on floats write T.fmod(a, b), which has the sign of a
