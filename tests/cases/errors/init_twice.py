@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.block("x"):
        with T.init():
            A[0] = 0.0
        with T.init():  # error: TS2018 "T.init"
            A[0] = 0.0
        A[0] = 1.0

# output
error[TS2018]: T.init is given twice
 --> <text>:6:14
  |
6 |         with T.init():  # error: TS2018 "T.init"
  |              ^^^^^^^^
hint: merge the two
