# pass: tir.LowerDeviceStorageAccessInfo
# raises: UnknownMemory
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    S = T.allocate([16], "float32", "local.LB")
    T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), S, 4, 8, 3))

# after
error[TS4016]: S is in the unknown storage scope local.LB
 --> <text>:4:9
  |
4 |     S = T.allocate([16], "float32", "local.LB")
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
