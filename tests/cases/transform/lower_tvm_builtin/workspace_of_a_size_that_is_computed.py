# pass: tir.LowerTVMBuiltin
# differs from TVM: its text says nothing about the dtype of tvm_throw_last_error
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.attr("default", "device_id", 1)
    T.attr("default", "device_type", 2)
    B = T.allocate([n, 4], "float16x4", "global")
    T.evaluate(T.isnullptr(B))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    B: T.handle("float16x4", "global") = T.TVMBackendAllocWorkspace(2, 1, T.uint64(8) * T.Cast("uint64", n) * T.uint64(4), 2, 16)
    T.attr(B, "storage_alignment", 64)
    if T.isnullptr(B):
        T.Call("int32", "tir.tvm_throw_last_error", [])
    T.isnullptr(B)
    if T.TVMBackendFreeWorkspace(2, 1, B) != 0:
        T.Call("int32", "tir.tvm_throw_last_error", [])
