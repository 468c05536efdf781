# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, y: T.int8, f: T.float32, b: T.bool):
    T.evaluate(T.Cast("int64", x) + T.Cast("int64", y))
    T.evaluate(T.Cast("float32", x) * f + T.float32(1))
    T.evaluate(T.Cast("float64", f) / T.float64(3))
    T.evaluate(T.Cast("uint8", x) // T.uint8(3) % T.uint8(2))
    T.evaluate(T.Cast("int32", b) + 1)
    T.evaluate(T.Cast("float16", f) < T.float16(1))
    T.evaluate(T.Cast("bool", x) and b)
