# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.bool, b: T.int8, c: T.int16, d: T.int32, e: T.int64, f: T.uint8, g: T.uint16, h: T.uint32, i: T.uint64, j: T.float16, k: T.float32, l: T.float64, m: T.handle, n: T.e4m3_float8, o: T.e5m2_float8, p: T.float32x4, q: T.int8x16):
    T.evaluate(a)
