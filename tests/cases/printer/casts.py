# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32):
    T.evaluate(T.Cast("float32", x))
    T.evaluate(T.Cast("int64", x + 1))
    T.evaluate(T.Cast("float16", T.Cast("float32", x)))
    T.evaluate(T.Cast("bfloat16", x))
    T.evaluate(T.Cast("e4m3_float8", x))
    T.evaluate(T.Cast("int4", x))
    T.evaluate(T.Cast("float32x4", T.Broadcast(x, 4)))
    T.evaluate(T.Cast("float32", x))
    T.evaluate(T.Cast("bool", x))
    T.reinterpret("float32", x)
