# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, y: T.int32, b: T.bool, c: T.bool):
    T.evaluate(x < y)
    T.evaluate(x <= y + 1)
    T.evaluate(x > y)
    T.evaluate(x >= y)
    T.evaluate(x == y)
    T.evaluate(x != y)
    T.evaluate(x < y and y < x or x == y)
    T.evaluate(x < y and (y < x or x == y))
    T.evaluate(not x < y)
    T.evaluate(not (b or c))
    T.evaluate((not b) == c)
    T.evaluate(b and (b and c) and c)
    T.evaluate(not b and not not c)
