# from tvm.script import tir as T

@T.prim_func
def other():
    T.func_attr({"a": {"y": "q", "z": 1}, "b": [1, 2, [3, "x"]], "bool": T.bool(False), "d": {}, "e": [], "f": T.float32(1.5), "i64": T.int64(1), "neg": -1, "none": None, "tir.noalias": T.bool(True)})
    T.evaluate(0)
