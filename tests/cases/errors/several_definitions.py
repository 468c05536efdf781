@T.prim_func  # error: TS2022 "@"
def f(n: T.int32):
    T.evaluate(n)


@T.prim_func
def g(n: T.int32):
    T.evaluate(n)
