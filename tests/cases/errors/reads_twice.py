@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.block("x"):
        T.reads(A[0])
        T.reads(A[1])  # error: TS2018 "T.reads"
        A[0] = 1.0

# output
error[TS2018]: T.reads is given twice
 --> <text>:5:9
  |
5 |         T.reads(A[1])  # error: TS2018 "T.reads"
  |         ^^^^^^^^^^^^^
hint: merge the two
