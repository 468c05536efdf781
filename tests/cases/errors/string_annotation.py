@T.prim_func
def f(n: "T.int32["):  # error: TS2016 '"T'
    T.evaluate(n)

# output
error[TS2016]: 'T.int32[' is not the type of a parameter
 --> <text>:2:10
  |
2 | def f(n: "T.int32["):  # error: TS2016 '"T'
  |          ^^^^^^^^^^
hint: types are T.int32, T.float32, ..., T.handle, T.Buffer(shape, "float32")
