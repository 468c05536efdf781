@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    def g():  # error: TS2005 "def g"
        pass
