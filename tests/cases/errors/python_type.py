@T.prim_func
def main(n: int):  # error: TS2016 "int"
    T.evaluate(n)
