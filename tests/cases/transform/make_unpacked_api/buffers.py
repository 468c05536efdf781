# pass: tir.MakeUnpackedAPI
# values: not compared: the parameters are others
@T.prim_func
def main(A: T.Buffer((4,), "float32"), n: T.int32, B: T.Buffer((2, 4), "float32")):
    T.func_attr({"target": T.target("c", host="c")})
    A[0] = B[0, 0] + T.float32(n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("float32", "global"), n: T.int32, B: T.handle("float32", "global")) -> T.int32:
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    T.attr("default", "device_id", 0)
    T.attr("default", "device_type", 1)
    A_1 = T.Buffer((4,), data=A)
    B_1 = T.Buffer((2, 4), data=B)
    A_1[0] = B_1[0, 0] + T.Cast("float32", n)
    return 0
