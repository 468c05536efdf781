@T.prim_func
def f(n: 4):  # error: TS2016 "4"
    T.evaluate(n)

# output
error[TS2016]: 4 is not the type of a parameter
 --> <text>:2:10
  |
2 | def f(n: 4):  # error: TS2016 "4"
  |          ^
hint: types are T.int32, T.float32, ..., T.handle, T.Buffer(shape, "float32")
