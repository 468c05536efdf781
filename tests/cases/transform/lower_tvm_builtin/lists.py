# pass: tir.LowerTVMBuiltin
# values: not compared: the interpreter has no packed functions
# differs from TVM: it has no tvm-ffi
@T.prim_func
def main(r: T.handle, n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.anylist_setitem_call_packed(r, 2, "f", T.anylist_getitem(r, 0), n)
    T.evaluate(T.Call("float32", "tir.tvm_call_trace_packed", ["trace", T.float32(1)]))

# after
# from tvm.script import tir as T

@T.prim_func
def main(r: T.handle, n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 3)
    T.Call("int32", "tir.TVMBackendAnyListSetPackedArg", [r, 0, stack_ffi_any, 0])
    T.tvm_struct_set(stack_ffi_any, 1, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.Cast("int64", n))
    T.tvm_struct_set(stack_ffi_any, 2, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, T.int64(0))
    T.call_packed_lowered("f", stack_ffi_any, 0, 2)
    T.Call("int32", "tir.TVMBackendAnyListMoveFromPackedReturn", [r, 2, stack_ffi_any, 2])
    T.tvm_struct_set(stack_ffi_any, 0, 13, 3)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("float64", T.float32(1)))
    T.tvm_call_trace_packed_lowered("trace", stack_ffi_any, 0, 1, T.float32(1))
