import os  # error: TS2024 "os"


@T.prim_func
def f(n: T.int32):
    T.evaluate(n)
