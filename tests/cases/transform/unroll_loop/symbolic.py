# pass: tir.UnrollLoop
# raises: CannotUnroll
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.unroll(n):
        A[i] = 1

# after
error[TS4034]: the extent n of the unrolled loop i is not constant
 --> <text>:3:9
  |
3 |     for i in T.unroll(n):
  |         ^^^^^^^^^^^^^^^^
