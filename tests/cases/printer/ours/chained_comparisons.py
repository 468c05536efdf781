# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, b: T.bool):
    T.evaluate((x < 1) == b)
    T.evaluate(b == (x < 1))
    T.evaluate((x == 1) != (x == 2))
    T.evaluate((not b) == b)
