# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, y: T.int32, z: T.int32, f: T.float32, g: T.float32):
    T.evaluate(x + y * z - x * (y + z))
    T.evaluate(x - (y - z) - (x + y))
    T.evaluate((x + y) * (x - y))
    T.evaluate(x // y % z * (x // (y % z)))
    T.evaluate(x * (y * z))
    T.evaluate(T.Div(x, y) + T.truncmod(x, y))
    T.evaluate(T.min(x, y) + T.max(y, z))
    T.evaluate(x * -1 - -5)
    T.evaluate(f / g * f + T.float32(0.5))
    T.evaluate(x * -1)
    T.evaluate(f * T.float32(-1))
