# pass: tir.LowerTVMBuiltin(convention="tvm-0.17")
# differs from TVM: it has no such option
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target("c")})
    T.attr("default", "device_id", 1)
    T.attr("default", "device_type", 2)
    T.call_packed("f", T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(16, 4), T.tvm_stack_make_shape(4, 1), 2, T.float32(0), n))
    T.call_packed("g", T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(n), 0, 1, T.bool(True), 0))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    stack_tcode: T.handle("int32", "global") = T.tvm_stack_alloca("arg_tcode", 2)
    stack_tcode_1 = T.decl_buffer((T.uint64(2),), "int32", data=stack_tcode)
    stack_value: T.handle = T.tvm_stack_alloca("arg_value", 2)
    stack_array: T.handle = T.tvm_stack_alloca("array", 1)
    stack_shape: T.handle("int64", "global") = T.tvm_stack_alloca("shape", 4)
    stack_shape_1 = T.decl_buffer((T.int64(4),), "int64", data=stack_shape)
    stack_shape_1[0] = T.int64(16)
    stack_shape_1[1] = T.int64(4)
    stack_shape_1[2] = T.int64(4)
    stack_shape_1[3] = T.int64(1)
    T.tvm_struct_set(stack_array, 0, 1, A.data)
    stack_shape_2 = T.Buffer((1,), "int64", data=stack_shape)
    T.tvm_struct_set(stack_array, 0, 2, T.address_of(stack_shape_2[0]))
    stack_shape_3 = T.Buffer((3,), "int64", data=stack_shape)
    T.tvm_struct_set(stack_array, 0, 3, T.address_of(stack_shape_3[2]))
    T.tvm_struct_set(stack_array, 0, 4, 2)
    T.tvm_struct_set(stack_array, 0, 5, T.uint8(2))
    T.tvm_struct_set(stack_array, 0, 6, T.uint8(32))
    T.tvm_struct_set(stack_array, 0, 7, T.uint16(1))
    T.tvm_struct_set(stack_array, 0, 8, T.Cast("uint64", n * 4))
    T.tvm_struct_set(stack_array, 0, 9, 1)
    T.tvm_struct_set(stack_array, 0, 10, 2)
    T.tvm_struct_set(stack_value, 0, 12, T.tvm_struct_get(stack_array, 0, 0, "handle"))
    stack_tcode_1[0] = 7
    T.call_packed_lowered("f", stack_value, stack_tcode, 0, 1)
    stack_shape_1[0] = T.Cast("int64", n)
    T.tvm_struct_set(stack_array, 0, 1, A.data)
    stack_shape_4 = T.Buffer((1,), "int64", data=stack_shape)
    T.tvm_struct_set(stack_array, 0, 2, T.address_of(stack_shape_4[0]))
    T.tvm_struct_set(stack_array, 0, 3, T.reinterpret("handle", T.uint64(0)))
    T.tvm_struct_set(stack_array, 0, 4, 1)
    T.tvm_struct_set(stack_array, 0, 5, T.uint8(1))
    T.tvm_struct_set(stack_array, 0, 6, T.uint8(1))
    T.tvm_struct_set(stack_array, 0, 7, T.uint16(1))
    T.tvm_struct_set(stack_array, 0, 8, T.uint64(0))
    T.tvm_struct_set(stack_array, 0, 9, 1)
    T.tvm_struct_set(stack_array, 0, 10, 2)
    T.tvm_struct_set(stack_value, 0, 12, T.tvm_struct_get(stack_array, 0, 0, "handle"))
    stack_tcode_1[0] = 7
    T.call_packed_lowered("g", stack_value, stack_tcode, 0, 1)
