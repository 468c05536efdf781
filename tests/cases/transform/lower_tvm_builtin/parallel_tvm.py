# pass: tir.LowerTVMBuiltin(convention="tvm-0.17")
# differs from TVM: it has no such option
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
    stack_tcode: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 2)
    stack_tcode_1 = T.decl_buffer((T.uint64(2),), "int32", data=stack_tcode)
    stack_value: T.handle = T.tvm_stack_alloca("arg_value", 2)
    T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", n))
    stack_tcode_1[0] = 0
    T.call_packed_lowered("f", stack_value, stack_tcode, 0, 1)
    for i in T.parallel(4):
        stack_tcode_2: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 3)
        stack_tcode_3 = T.decl_buffer((T.uint64(3),), "int32", data=stack_tcode_2)
        stack_value_1: T.handle = T.tvm_stack_alloca("arg_value", 3)
        T.tvm_struct_set(stack_value_1, 0, 12, A.data)
        if T.isnullptr(A.data):
            stack_tcode_3[0] = 4
        else:
            stack_tcode_3[0] = 3
        T.tvm_struct_set(stack_value_1, 1, 12, T.Cast("int64", i))
        stack_tcode_3[1] = 0
        T.call_packed_lowered("g", stack_value_1, stack_tcode_2, 0, 2)
