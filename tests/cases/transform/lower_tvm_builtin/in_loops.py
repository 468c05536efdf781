# pass: tir.LowerTVMBuiltin(convention="tvm-0.17")
# differs from TVM: it has no such option
# values: not compared: the interpreter has no packed functions
# the stack is as large as the calls of serial loops need, those of parallel loops have their own
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.call_packed("f", n)
    for i in range(4):
        T.call_packed("g", i, n, i)
        for j in range(i):
            T.call_packed("h", i, n, i, j)
    for i in T.parallel(4):
        T.call_packed("f", i, i, i, i, i, i)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_tcode: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 5)
    stack_tcode_1 = T.decl_buffer((T.uint64(5),), "int32", data=stack_tcode)
    stack_value: T.handle = T.tvm_stack_alloca("arg_value", 5)
    T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", n))
    stack_tcode_1[0] = 0
    T.call_packed_lowered("f", stack_value, stack_tcode, 0, 1)
    for i in range(4):
        T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", i))
        stack_tcode_1[0] = 0
        T.tvm_struct_set(stack_value, 1, 12, T.Cast("int64", n))
        stack_tcode_1[1] = 0
        T.tvm_struct_set(stack_value, 2, 12, T.Cast("int64", i))
        stack_tcode_1[2] = 0
        T.call_packed_lowered("g", stack_value, stack_tcode, 0, 3)
        for j in range(i):
            T.tvm_struct_set(stack_value, 0, 12, T.Cast("int64", i))
            stack_tcode_1[0] = 0
            T.tvm_struct_set(stack_value, 1, 12, T.Cast("int64", n))
            stack_tcode_1[1] = 0
            T.tvm_struct_set(stack_value, 2, 12, T.Cast("int64", i))
            stack_tcode_1[2] = 0
            T.tvm_struct_set(stack_value, 3, 12, T.Cast("int64", j))
            stack_tcode_1[3] = 0
            T.call_packed_lowered("h", stack_value, stack_tcode, 0, 4)
    for i in T.parallel(4):
        stack_tcode_2: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 7)
        stack_tcode_3 = T.decl_buffer((T.uint64(7),), "int32", data=stack_tcode_2)
        stack_value_1: T.handle = T.tvm_stack_alloca("arg_value", 7)
        T.tvm_struct_set(stack_value_1, 0, 12, T.Cast("int64", i))
        stack_tcode_3[0] = 0
        T.tvm_struct_set(stack_value_1, 1, 12, T.Cast("int64", i))
        stack_tcode_3[1] = 0
        T.tvm_struct_set(stack_value_1, 2, 12, T.Cast("int64", i))
        stack_tcode_3[2] = 0
        T.tvm_struct_set(stack_value_1, 3, 12, T.Cast("int64", i))
        stack_tcode_3[3] = 0
        T.tvm_struct_set(stack_value_1, 4, 12, T.Cast("int64", i))
        stack_tcode_3[4] = 0
        T.tvm_struct_set(stack_value_1, 5, 12, T.Cast("int64", i))
        stack_tcode_3[5] = 0
        T.call_packed_lowered("f", stack_value_1, stack_tcode_2, 0, 6)
