# pass: tir.MakePackedAPI
# values: not compared: the interpreter has no packed functions
# differs from TVM: it has no tvm-ffi
@T.prim_func
def main(a: T.handle):
    T.func_attr({"target": T.target("c", host="c")})
    n = T.int32()
    s0 = T.int32()
    s1 = T.int32()
    A = T.match_buffer(a, (n, 4), strides=(s0, s1), buffer_type="auto")
    A[0, 0] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def __tvm_ffi_main(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    assert num_args == 1, "main takes 1 arguments"
    assert not T.isnullptr(args), "main is called without arguments"
    a_type_index: T.int32 = T.tvm_struct_get(args, 0, 13, "int32")
    assert a_type_index == 0 or a_type_index == 4 or a_type_index == 7 or a_type_index >= 64, "main: argument 0 (a) must be a pointer or an array"
    a: T.handle = T.if_then_else(a_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 0, 15, "handle"), 24), T.tvm_struct_get(args, 0, 15, "handle"))
    assert not T.isnullptr(a), "main.a must be an array, not nothing"
    assert 2 == T.tvm_struct_get(a, 0, 4, "int32"), "main.a must have 2 dimensions"
    main_a_shape: T.handle("int64", "global") = T.tvm_struct_get(a, 0, 2, "handle")
    main_a_shape_1 = T.decl_buffer((2,), "int64", data=main_a_shape)
    n: T.int32 = T.Cast("int32", main_a_shape_1[0])
    main_a_strides: T.handle("int64", "global") = T.tvm_struct_get(a, 0, 3, "handle")
    main_a_strides_1 = T.decl_buffer((2,), "int64", data=main_a_strides)
    A_s1: T.int32 = T.if_then_else(T.isnullptr(main_a_strides), 1, T.Cast("int32", main_a_strides_1[1]))
    A_s0: T.int32 = T.if_then_else(n == 1, 0, T.if_then_else(T.isnullptr(main_a_strides), 4, T.Cast("int32", main_a_strides_1[0])))
    dev_id: T.int32 = T.tvm_struct_get(a, 0, 9, "int32")
    A: T.handle("float32", "global") = T.tvm_struct_get(a, 0, 1, "handle")
    T.attr(A, "storage_alignment", 64)
    T.attr("default", "device_id", dev_id)
    T.attr("default", "device_type", 1)
    assert T.tvm_struct_get(a, 0, 5, "uint8") == T.uint8(2) and T.tvm_struct_get(a, 0, 6, "uint8") == T.uint8(32) and T.tvm_struct_get(a, 0, 7, "uint16") == T.uint16(1), "main.a must have the dtype float32"
    assert T.Cast("int32", main_a_shape_1[1]) == 4, "main.a.shape[1] must be 4"
    assert T.uint64(0) == T.tvm_struct_get(a, 0, 8, "uint64"), "main.a.byte_offset must be T.uint64(0)"
    assert T.tvm_struct_get(a, 0, 10, "int32") == 1, "main.a.device_type must be 1"
    assert n * 4 == 0 or not T.isnullptr(A), "main.a must have memory"
    A_1 = T.decl_buffer((n, 4), data=A, strides=(A_s0, A_s1), buffer_type="auto")
    with T.attr(0, "compute_scope", "main_compute_"):
        A_1[0, 0] = T.float32(0)
    return 0
