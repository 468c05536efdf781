# from tvm.script import tir as T

@T.prim_func(private=True)
def main(n: T.int32):
    # with T.block("root"):
    for i in range(4):
        with T.block("x"):
            vi = T.axis.spatial(4, i)
            T.reads()
            T.writes()
            T.block_attr({"a": 1, "b": T.int64(2), "c": T.float32(1.5), "d": "s", "e": [1, [2, 3]], "f": {"x": {"y": 1}}, "g": T.bool(True), "h": None, "i": [], "j": {}, "k": T.float64(2), "l": n + 1})
            T.evaluate(vi)
