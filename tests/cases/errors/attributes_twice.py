@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.func_attr({"a": 1})
    T.func_attr({"b": 1})
    T.func_attr({"a": 2})  # error: TS2018 "T.func_attr"
    A[0] = 1.0

# output
error[TS2018]: the attribute a of T.func_attr is given twice
 --> <text>:5:5
  |
5 |     T.func_attr({"a": 2})  # error: TS2018 "T.func_attr"
  |     ^^^^^^^^^^^^^^^^^^^^^
hint: merge the two
