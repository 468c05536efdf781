@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    class G:  # error: TS2005 "class G"
        pass
