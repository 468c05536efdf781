# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    with T.Assert(x < 1, "first"):
        T.evaluate(0)
    assert x < 2, "second"
    assert x < 3 and x > 1, "a \"quoted\" \\ message"
    T.evaluate(1)
