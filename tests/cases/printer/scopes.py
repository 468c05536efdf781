# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    T.evaluate(x)
    if x < 1:
        a = T.allocate([4], "int32", "local")
        T.evaluate(a)
    else:
        with T.allocate([4], "int32", "local") as a:
            T.evaluate(a)
        y: T.int32 = 1
        assert y < 2, "m"
        T.attr(y, "k", 1)
        for i in range(3):
            z: T.int32 = y + i
            T.evaluate(z)
