# pass: tir.LowerTVMBuiltin(convention="tvm-ffi")
# differs from TVM: it has no tvm-ffi
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.call_packed("f", A.data, n, T.float16(2), "text", T.bool(True))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 6)
    if T.isnullptr(A.data):
        T.tvm_struct_set(stack_ffi_any, 0, 13, 0)
    else:
        T.tvm_struct_set(stack_ffi_any, 0, 13, 4)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, A.data)
    T.tvm_struct_set(stack_ffi_any, 1, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.Cast("int64", n))
    T.tvm_struct_set(stack_ffi_any, 2, 13, 3)
    T.tvm_struct_set(stack_ffi_any, 2, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 2, 15, T.Cast("float64", T.float16(2)))
    T.tvm_struct_set(stack_ffi_any, 3, 13, 8)
    T.tvm_struct_set(stack_ffi_any, 3, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 3, 15, T.Call("handle", "tir.reinterpret", ["text"]))
    T.tvm_struct_set(stack_ffi_any, 4, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 4, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 4, 15, T.Cast("int64", T.bool(True)))
    T.tvm_struct_set(stack_ffi_any, 5, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 5, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 5, 15, T.int64(0))
    T.call_packed_lowered("f", stack_ffi_any, 0, 5)
