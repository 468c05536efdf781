# pass: tir.VectorizeLoop
# raises: CannotVectorize
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.vectorized(n):
        A[i] = 3

# after
error[TS4033]: the extent n of the vectorized loop i is not a number of lanes
 --> <text>:3:9
  |
3 |     for i in T.vectorized(n):
  |         ^^^^^^^^^^^^^^^^^^^^
