# pass: tir.LowerTVMBuiltin
# differs from TVM: its text says nothing about the dtype of tvm_throw_last_error
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.attr("default", "device_id", 1)
    T.attr("default", "device_type", 2)
    B = T.allocate([16], "float32", "global")
    B1 = T.Buffer((16,), data=B)
    B1[0] = A[0, 0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    B1: T.handle("float32", "global") = T.TVMBackendAllocWorkspace(2, 1, T.uint64(64), 2, 32)
    T.attr(B1, "storage_alignment", 64)
    if T.isnullptr(B1):
        T.Call("int32", "tir.tvm_throw_last_error", [])
    B1_1 = T.Buffer((16,), data=B1)
    B1_1[0] = A[0, 0]
    if T.TVMBackendFreeWorkspace(2, 1, B1) != 0:
        T.Call("int32", "tir.tvm_throw_last_error", [])
