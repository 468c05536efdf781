# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    class_1: T.int32 = x
    T_1: T.int32 = class_1 + 1
    range_1: T.int32 = T_1
    _: T.int32 = range_1
    match: T.int32 = _
    _x: T.int32 = match
    T.evaluate(_x)
