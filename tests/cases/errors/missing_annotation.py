@T.prim_func
def f(n):  # error: TS2015 "n)"
    T.evaluate(n)
