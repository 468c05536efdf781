@T.prim_func
def f(n):  # error: TS2015 "n)"
    T.evaluate(n)

# output
error[TS2015]: the parameter n has no type annotation
 --> <text>:2:7
  |
2 | def f(n):  # error: TS2015 "n)"
  |       ^
hint: write n: T.Buffer(shape, "float32") or T.int32
