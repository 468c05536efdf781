# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    class_1: T.int32 = 1
    range_1: T.int32 = 2
    T.evaluate(class_1 + range_1)
