# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, f: T.float32):
    T.evaluate(((x + 1) * 2 - 3) // 4 % 5 * (6 - (7 - x)) + (x + 1) * ((x + 2) * (x + 3)))
    T.evaluate((x + 1) // (x * 2) // (x % 3) % (x // 4 * 5))
    T.evaluate(x - (x - (x - (x - 1))))
    T.evaluate((x < 1 or x > 2) and not (x == 3 and x != 4) or x + 1 <= x * 2)
    T.evaluate(T.max(x + 1, T.min(x * 2, 3) - 1) * 2)
    T.evaluate(T.if_then_else((x < 1 or x > 2) and x != 3, x + 1, (x + 2) * 3) * 2)
    T.evaluate(f * (f + f) / (f / f) - (f - f))
    T.evaluate(0 - x * -1 - -1)
