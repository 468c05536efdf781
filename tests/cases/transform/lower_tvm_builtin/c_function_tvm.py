# pass: tir.LowerTVMBuiltin(convention="tvm-0.17")
# differs from TVM: it has no such option
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
    stack_tcode: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 2)
    stack_tcode_1 = T.decl_buffer((T.uint64(2),), "int32", data=stack_tcode)
    stack_value: T.handle = T.tvm_stack_alloca("arg_value", 2)
    T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", n))
    stack_tcode_1[0] = 0
    x: T.int32 = T.call_cpacked_lowered("g", stack_value, stack_tcode, 0, 1, T.reinterpret("handle", T.uint64(0)))
    T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", x))
    stack_tcode_1[0] = 0
    T.call_packed_lowered("f", stack_value, stack_tcode, 0, 1)
