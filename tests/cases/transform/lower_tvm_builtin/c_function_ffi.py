# pass: tir.LowerTVMBuiltin(convention="tvm-ffi")
# differs from TVM: it has no tvm-ffi
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    x: T.int32 = T.call_cpacked("g", n, T.reinterpret("handle", T.uint64(0)))
    T.call_packed("f", x)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 3)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", n))
    if T.isnullptr(T.reinterpret("handle", T.uint64(0))):
        T.tvm_struct_set(stack_ffi_any, 1, 13, 0)
    else:
        T.tvm_struct_set(stack_ffi_any, 1, 13, 4)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.reinterpret("handle", T.uint64(0)))
    T.tvm_struct_set(stack_ffi_any, 2, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, T.int64(0))
    x: T.int32 = T.call_cpacked_lowered("g", stack_ffi_any, 0, 2)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", x))
    T.tvm_struct_set(stack_ffi_any, 1, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.int64(0))
    T.call_packed_lowered("f", stack_ffi_any, 0, 1)
