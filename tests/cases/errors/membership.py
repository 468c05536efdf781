@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    A[0] = T.Select(A[1] in A, A[1], A[2])  # error: TS2005 "A[1] in A"

# output
error[TS2005]: the operator in on expressions is not supported here
 --> <text>:3:21
  |
3 |     A[0] = T.Select(A[1] in A, A[1], A[2])  # error: TS2005 "A[1] in A"
  |                     ^^^^^^^^^
hint: compare with each of them: x == 1 or x == 2
