# pass: tir.LowerTVMBuiltin
# values: not compared: the interpreter has no packed functions
# differs from TVM: it has no tvm-ffi
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.attr("default", "device_id", 1)
    T.attr("default", "device_type", 2)
    T.Call("int32", "tir.dma_copy", [0, A.data, A.data, 4, 0])
    T.Call("int32", "tir.dma_wait", [0, 1])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 6)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", 0))
    if T.isnullptr(A.data):
        T.tvm_struct_set(stack_ffi_any, 1, 13, 0)
    else:
        T.tvm_struct_set(stack_ffi_any, 1, 13, 4)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, A.data)
    if T.isnullptr(A.data):
        T.tvm_struct_set(stack_ffi_any, 2, 13, 0)
    else:
        T.tvm_struct_set(stack_ffi_any, 2, 13, 4)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, A.data)
    T.tvm_struct_set(stack_ffi_any, 3, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 3, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 3, 15, T.Cast("int64", 4))
    T.tvm_struct_set(stack_ffi_any, 4, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 4, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 4, 15, T.Cast("int64", 0))
    T.tvm_struct_set(stack_ffi_any, 5, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 5, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 5, 15, T.int64(0))
    T.call_packed_lowered("device_api.cuda.dma_copy", stack_ffi_any, 0, 5)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", 0))
    T.tvm_struct_set(stack_ffi_any, 1, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.Cast("int64", 1))
    T.tvm_struct_set(stack_ffi_any, 2, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, T.int64(0))
    T.call_packed_lowered("device_api.cuda.dma_wait", stack_ffi_any, 0, 2)
