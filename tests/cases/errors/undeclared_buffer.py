@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    B = T.Buffer((16,))
    A[0] = B[0]  # error: TS1104 "B[0]"

# output
error[TS1104]: the buffer B is used where its memory is not defined
 --> <text>:4:12
  |
4 |     A[0] = B[0]  # error: TS1104 "B[0]"
  |            ^^^^
hint: allocate it, or say what it is a view of: B = T.Buffer(..., data=A.data)
