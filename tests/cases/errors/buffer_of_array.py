@T.prim_func
def main(a: T.handle):
    A = T.match_buffer(a, (4,), "float32")
    B = T.Buffer((4,), "float32", data=a)
    B[0] = A[1]  # error: TS1104 "B[0]"

# output
error[TS1104]: the buffer B is used where its memory is not defined
 --> <text>:5:5
  |
5 |     B[0] = A[1]  # error: TS1104 "B[0]"
  |     ^^^^^^^^^^^
hint: its data is the parameter of A: its memory is data=A.data
