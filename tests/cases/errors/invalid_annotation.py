@T.prim_func
def f(n: 4):  # error: TS2016 "4"
    T.evaluate(n)
