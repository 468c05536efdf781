# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32) -> T.int32:
    if x < 1:
        return x
    return x + 1
