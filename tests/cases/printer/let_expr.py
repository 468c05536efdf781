# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    v = T.int32()
    T.evaluate(T.Let(v + 1, where={v: x * 2}))
