# pass: tir.VectorizeLoop
# raises: WhileInVectorizedLoop
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.vectorized(4):
        while A[i] < 3:
            A[i] = A[i] + 1

# after
error[TS4032]: a while loop inside of the vectorized loop i is not supported
 --> <text>:4:15
  |
4 |         while A[i] < 3:
  |               ^^^^^^^^
