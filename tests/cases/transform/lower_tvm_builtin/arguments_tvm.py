# pass: tir.LowerTVMBuiltin(convention="tvm-0.17")
# differs from TVM: it has no such option
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
    stack_tcode: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 6)
    stack_tcode_1 = T.decl_buffer((T.uint64(6),), "int32", data=stack_tcode)
    stack_value: T.handle = T.tvm_stack_alloca("arg_value", 6)
    T.tvm_struct_set(stack_value, 0, 12, A.data)
    if T.isnullptr(A.data):
        stack_tcode_1[0] = 4
    else:
        stack_tcode_1[0] = 3
    T.tvm_struct_set(stack_value, 1, 12, T.Cast("int64", n))
    stack_tcode_1[1] = 0
    T.tvm_struct_set(stack_value, 2, 12, T.Cast("float64", T.float16(2)))
    stack_tcode_1[2] = 2
    T.tvm_struct_set(stack_value, 3, 12, "text")
    stack_tcode_1[3] = 11
    T.tvm_struct_set(stack_value, 4, 12, T.Cast("int64", T.bool(True)))
    stack_tcode_1[4] = 0
    T.call_packed_lowered("f", stack_value, stack_tcode, 0, 5)
