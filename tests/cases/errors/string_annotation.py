@T.prim_func
def f(n: "T.int32["):  # error: TS2016 '"T'
    T.evaluate(n)
