@T.prim_func
def f(n: T.int32) -> T.int32:
    return n + 1


# output
# from tvm.script import tir as T

@T.prim_func
def f(n: T.int32) -> T.int32:
    return n + 1
