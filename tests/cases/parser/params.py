@T.prim_func(private=True)
def f(n: T.int32, p: T.handle, q: T.handle("float32"), r: T.Ptr("int32", "shared"), s: T.Ptr(T.float32), x: T.float16, b: T.bool):
    T.evaluate(n)


# output
# from tvm.script import tir as T

@T.prim_func(private=True)
def main(n: T.int32, p: T.handle, q: T.handle("float32", "global"), r: T.handle("int32", "shared"), s: T.handle("float32", "global"), x: T.float16, b: T.bool):
    T.evaluate(n)
