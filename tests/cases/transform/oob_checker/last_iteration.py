# pass: tir.OOBChecker
# raises: AccessOutOfBounds
# differs from TVM: the oracle knows it under another name
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] + A[i + 1] + A[i + 3]

# after
error[TS4091]: buffer A of shape (16) has no element at index i + 3 of dimension 0: for i = 13 it is 16, and the extent is 16
 --> <text>:4:34
  |
4 |         B[i] = A[i] + A[i + 1] + A[i + 3]
  |                                  ^^^^^^^^
