# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, b: T.bool):
    T.evaluate(T.Select(b, x, x + 1))
    T.if_then_else(b, x, x + 1)
    T.if_then_else(x < 1, T.if_then_else(b, 1, 2), 3)
    T.evaluate(T.Select(x < 1 and b, x, 0) + 1)
    T.likely(x < 1)
