@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with T.Then():  # error: TS2017 "T.Then"
        A[0] = 1.0

# output
error[TS2017]: T.Then must be inside T.If
 --> <text>:3:10
  |
3 |     with T.Then():  # error: TS2017 "T.Then"
  |          ^^^^^^^^
hint: open one: with T.If(condition):
