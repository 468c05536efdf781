# pass: tir.LowerTVMBuiltin(convention="tvm-ffi")
# differs from TVM: it has no tvm-ffi
# values: not compared: the interpreter has no packed functions
# each thread has stacks of its own
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.call_packed("f", n)
    for i in T.parallel(4):
        T.call_packed("g", A.data, i)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 2)
    T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
    T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", n))
    T.tvm_struct_set(stack_ffi_any, 1, 13, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 14, 0)
    T.tvm_struct_set(stack_ffi_any, 1, 15, T.int64(0))
    T.call_packed_lowered("f", stack_ffi_any, 0, 1)
    for i in T.parallel(4):
        stack_ffi_any_1: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 3)
        if T.isnullptr(A.data):
            T.tvm_struct_set(stack_ffi_any_1, 0, 13, 0)
        else:
            T.tvm_struct_set(stack_ffi_any_1, 0, 13, 4)
        T.tvm_struct_set(stack_ffi_any_1, 0, 14, 0)
        T.tvm_struct_set(stack_ffi_any_1, 0, 15, A.data)
        T.tvm_struct_set(stack_ffi_any_1, 1, 13, 1)
        T.tvm_struct_set(stack_ffi_any_1, 1, 14, 0)
        T.tvm_struct_set(stack_ffi_any_1, 1, 15, T.Cast("int64", i))
        T.tvm_struct_set(stack_ffi_any_1, 2, 13, 0)
        T.tvm_struct_set(stack_ffi_any_1, 2, 14, 0)
        T.tvm_struct_set(stack_ffi_any_1, 2, 15, T.int64(0))
        T.call_packed_lowered("g", stack_ffi_any_1, 0, 2)
