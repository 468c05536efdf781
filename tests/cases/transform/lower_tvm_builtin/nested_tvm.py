# pass: tir.LowerTVMBuiltin(convention="tvm-0.17")
# differs from TVM: it has no such option
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.call_packed("g", n, T.call_packed("inner", n))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_tcode: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 5)
    stack_tcode_1 = T.decl_buffer((T.uint64(5),), "int32", data=stack_tcode)
    stack_value: T.handle = T.tvm_stack_alloca("arg_value", 5)
    T.tvm_struct_set(stack_value, 3, 12, T.Cast("int64", n))
    stack_tcode_1[3] = 0
    T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", n))
    stack_tcode_1[0] = 0
    T.tvm_struct_set(stack_value, 1, 12, T.Cast("int64", T.call_packed_lowered("inner", stack_value, stack_tcode, 3, 4)))
    stack_tcode_1[1] = 0
    T.call_packed_lowered("g", stack_value, stack_tcode, 0, 2)
