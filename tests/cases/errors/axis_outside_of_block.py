@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    v = T.axis.spatial(16, n)  # error: TS2017 "T.axis"
    A[v] = 1.0

# output
error[TS2017]: an axis must be inside a block
 --> <text>:3:9
  |
3 |     v = T.axis.spatial(16, n)  # error: TS2017 "T.axis"
  |         ^^^^^^^^^^^^^^^^^^^^^
hint: open one: with T.block("name"):
