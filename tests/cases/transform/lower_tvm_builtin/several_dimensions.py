# pass: tir.LowerTVMBuiltin
# values: not compared: the interpreter has no packed functions
# differs from TVM: it has no tvm-ffi
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.attr("default", "device_id", 1)
    T.attr("default", "device_type", 2)
    W: T.handle("float32", "global.texture") = T.Call("handle", "tir.nd_mem_alloc_with_scope", ["global.texture", T.int64(2), T.tvm_stack_make_shape(16, 4)])
    T.evaluate(T.isnullptr(W))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 8)
    stack_shape: T.handle("int64", "global") = T.tvm_stack_alloca("shape", 2)
    stack_shape_1 = T.decl_buffer((T.int64(2),), "int64", data=stack_shape)
    stack_shape_1[0] = T.int64(16)
    stack_shape_1[1] = T.int64(4)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", 2))
    T.tvm_struct_set(stack_ffi_any, 1, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.Cast("int64", 1))
    T.tvm_struct_set(stack_ffi_any, 2, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, T.Cast("int64", 2))
    T.tvm_struct_set(stack_ffi_any, 3, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 3, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 3, 15, T.Cast("int64", 32))
    T.tvm_struct_set(stack_ffi_any, 4, 13, 8)
    T.tvm_struct_set(stack_ffi_any, 4, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 4, 15, T.Call("handle", "tir.reinterpret", ["global.texture"]))
    T.tvm_struct_set(stack_ffi_any, 5, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 5, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 5, 15, T.int64(2))
    if T.isnullptr(T.address_of(stack_shape_1[0])):
        T.tvm_struct_set(stack_ffi_any, 6, 13, 0)
    else:
        T.tvm_struct_set(stack_ffi_any, 6, 13, 4)
    T.tvm_struct_set(stack_ffi_any, 6, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 6, 15, T.address_of(stack_shape_1[0]))
    T.tvm_struct_set(stack_ffi_any, 7, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 7, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 7, 15, T.int64(0))
    W: T.handle("float32", "global.texture") = T.Call("handle", "tir.tvm_call_packed_lowered", ["device_api.cuda.alloc_nd", stack_ffi_any, 0, 7])
    if T.isnullptr(W):
        T.Call("int32", "tir.tvm_throw_last_error", [])
    T.isnullptr(W)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", 2))
    T.tvm_struct_set(stack_ffi_any, 1, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.Cast("int64", 1))
    T.tvm_struct_set(stack_ffi_any, 2, 13, 8)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, T.Call("handle", "tir.reinterpret", ["global.texture"]))
    if T.isnullptr(W):
        T.tvm_struct_set(stack_ffi_any, 3, 13, 0)
    else:
        T.tvm_struct_set(stack_ffi_any, 3, 13, 4)
    T.tvm_struct_set(stack_ffi_any, 3, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 3, 15, W)
    T.tvm_struct_set(stack_ffi_any, 4, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 4, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 4, 15, T.int64(0))
    if T.call_packed_lowered("device_api.cuda.free_nd", stack_ffi_any, 0, 4) != 0:
        T.Call("int32", "tir.tvm_throw_last_error", [])
