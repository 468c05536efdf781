# pass: tir.LowerDeviceStorageAccessInfo
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    S = T.allocate([16], "float32", "shared")
    T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), S, 4, 8, 3))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    S = T.allocate([16], "float32", "shared")
    S_1 = T.Buffer((5,), data=S, scope="shared")
    T.call_extern("int32", "f", T.address_of(S_1[4]))
