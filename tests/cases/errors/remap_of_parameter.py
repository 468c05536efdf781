@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.block("x"):
        v = T.axis.remap("S", [n])  # error: TS2019 "T.axis"
        A[v] = 1.0

# output
error[TS2019]: n is not the variable of an enclosing loop
 --> <text>:4:13
  |
4 |         v = T.axis.remap("S", [n])  # error: TS2019 "T.axis"
  |             ^^^^^^^^^^^^^^^^^^^^^^
hint: use T.axis.spatial(extent, value) for other values
