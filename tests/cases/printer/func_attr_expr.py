# from tvm.script import tir as T

@T.prim_func(private=True)
def main(n: T.int32):
    T.func_attr({"x": n + 1})
    T.evaluate(n)
