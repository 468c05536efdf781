@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    B = T.Buffer((4,), "float33", data=A.data)  # error: TS1001 '"float33"'
    B[0] = 1.0

# output
error[TS1001]: 'float33' is not a data type
 --> <text>:3:24
  |
3 |     B = T.Buffer((4,), "float33", data=A.data)  # error: TS1001 '"float33"'
  |                        ^^^^^^^^^
hint: did you mean float32?
