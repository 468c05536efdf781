# pass: tir.VectorizeLoop
# raises: CannotVectorize
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.vectorized(n):
        A[i] = 3

# after
error[TS4033]: the vectorized loop i has n iterations, which is no number of lanes
 --> <text>:3:9
  |
3 |     for i in T.vectorized(n):
  |         ^^^^^^^^^^^^^^^^^^^^
