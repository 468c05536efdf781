# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    T.evaluate(T.float32(-0.0))
    T.evaluate(T.float64(1.0000000000000001e+300))
    T.evaluate(T.uint64(18446744073709551615))
    T.evaluate(T.bfloat16(0.5))
    T.evaluate(T.int4(-8))
