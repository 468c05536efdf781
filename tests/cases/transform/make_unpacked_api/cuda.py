# pass: tir.MakeUnpackedAPI
# values: not compared: the parameters are others
@T.prim_func
def main(A: T.Buffer((1,), "float32")):
    T.func_attr({"target": T.target("cuda", host="llvm")})
    A[0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("float32", "global")) -> T.int32:
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    T.attr("default", "device_id", 0)
    T.attr("default", "device_type", 2)
    A_1 = T.Buffer((1,), data=A)
    A_1[0] = T.float32(0)
    return 0
