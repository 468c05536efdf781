# pass: tir.MakeUnpackedAPI
# values: not compared: the parameters are others
@T.prim_func
def main(n: T.int32) -> T.int32:
    T.func_attr({"target": T.target("c", host="c")})
    T.ret(n + 1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32) -> T.int32:
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    return n + 1
    return 0
