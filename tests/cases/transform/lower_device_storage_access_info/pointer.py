# pass: tir.LowerDeviceStorageAccessInfo
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), A.data, n, 8, 3))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    A_1 = T.Buffer((n + 1,), data=A.data)
    T.call_extern("int32", "f", T.address_of(A_1[n]))
