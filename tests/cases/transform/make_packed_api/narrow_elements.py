# pass: tir.MakePackedAPI
# values: not compared: the interpreter has no packed functions
# differs from TVM: it has no tvm-ffi
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    T.func_attr({"target": T.target("c", host="c")})
    A = T.match_buffer(a, (4, 8), "int4")
    B = T.match_buffer(b, (), "bool")
    C = T.match_buffer(c, (0, 4), "e4m3_float8")
    B[()] = A[0, 0] == T.int4(0)

# after
# from tvm.script import tir as T

@T.prim_func
def __tvm_ffi_main(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    assert num_args == 3, "main takes 3 arguments"
    assert not T.isnullptr(args), "main is called without arguments"
    a_type_index: T.int32 = T.tvm_struct_get(args, 0, 13, "int32")
    assert a_type_index == 0 or a_type_index == 4 or a_type_index == 7 or a_type_index >= 64, "main: argument 0 (a) must be a pointer or an array"
    b_type_index: T.int32 = T.tvm_struct_get(args, 1, 13, "int32")
    assert b_type_index == 0 or b_type_index == 4 or b_type_index == 7 or b_type_index >= 64, "main: argument 1 (b) must be a pointer or an array"
    c_type_index: T.int32 = T.tvm_struct_get(args, 2, 13, "int32")
    assert c_type_index == 0 or c_type_index == 4 or c_type_index == 7 or c_type_index >= 64, "main: argument 2 (c) must be a pointer or an array"
    a: T.handle = T.if_then_else(a_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 0, 15, "handle"), 24), T.tvm_struct_get(args, 0, 15, "handle"))
    b: T.handle = T.if_then_else(b_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 1, 15, "handle"), 24), T.tvm_struct_get(args, 1, 15, "handle"))
    c: T.handle = T.if_then_else(c_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 2, 15, "handle"), 24), T.tvm_struct_get(args, 2, 15, "handle"))
    assert not T.isnullptr(a), "main.a must be an array, not nothing"
    assert 2 == T.tvm_struct_get(a, 0, 4, "int32"), "main.a must have 2 dimensions"
    main_a_shape: T.handle("int64", "global") = T.tvm_struct_get(a, 0, 2, "handle")
    main_a_shape_1 = T.decl_buffer((2,), "int64", data=main_a_shape)
    main_a_strides: T.handle("int64", "global") = T.tvm_struct_get(a, 0, 3, "handle")
    main_a_strides_1 = T.decl_buffer((0,), "int64", data=main_a_strides)
    dev_id: T.int32 = T.tvm_struct_get(a, 0, 9, "int32")
    A: T.handle("int4", "global") = T.tvm_struct_get(a, 0, 1, "handle")
    T.attr(A, "storage_alignment", 64)
    assert not T.isnullptr(b), "main.b must be an array, not nothing"
    assert 0 == T.tvm_struct_get(b, 0, 4, "int32"), "main.b must have 0 dimensions"
    main_b_shape: T.handle("int64", "global") = T.tvm_struct_get(b, 0, 2, "handle")
    main_b_shape_1 = T.decl_buffer((0,), "int64", data=main_b_shape)
    main_b_strides: T.handle("int64", "global") = T.tvm_struct_get(b, 0, 3, "handle")
    main_b_strides_1 = T.decl_buffer((0,), "int64", data=main_b_strides)
    B: T.handle("int8", "global") = T.tvm_struct_get(b, 0, 1, "handle")
    T.attr(B, "storage_alignment", 64)
    assert not T.isnullptr(c), "main.c must be an array, not nothing"
    assert 2 == T.tvm_struct_get(c, 0, 4, "int32"), "main.c must have 2 dimensions"
    main_c_shape: T.handle("int64", "global") = T.tvm_struct_get(c, 0, 2, "handle")
    main_c_shape_1 = T.decl_buffer((2,), "int64", data=main_c_shape)
    main_c_strides: T.handle("int64", "global") = T.tvm_struct_get(c, 0, 3, "handle")
    main_c_strides_1 = T.decl_buffer((0,), "int64", data=main_c_strides)
    C: T.handle("e4m3_float8", "global") = T.tvm_struct_get(c, 0, 1, "handle")
    T.attr(C, "storage_alignment", 64)
    T.attr("default", "device_id", dev_id)
    T.attr("default", "device_type", 1)
    if not T.isnullptr(main_a_strides):
        assert 1 == T.Cast("int32", main_a_strides_1[1]) and 8 == T.Cast("int32", main_a_strides_1[0]), "main.a must be compact"
        T.evaluate(0)
    assert T.uint64(0) == T.tvm_struct_get(a, 0, 8, "uint64"), "main.a.byte_offset must be T.uint64(0)"
    assert T.tvm_struct_get(a, 0, 10, "int32") == 1, "main.a.device_type must be 1"
    assert not T.isnullptr(A), "main.a must have memory"
    assert T.tvm_struct_get(b, 0, 5, "uint8") == T.uint8(6) and T.tvm_struct_get(b, 0, 6, "uint8") == T.uint8(8) and T.tvm_struct_get(b, 0, 7, "uint16") == T.uint16(1), "main.b must have the dtype bool"
    assert T.uint64(0) == T.tvm_struct_get(b, 0, 8, "uint64"), "main.b.byte_offset must be T.uint64(0)"
    assert T.tvm_struct_get(b, 0, 10, "int32") == 1, "main.b.device_type must be 1"
    assert dev_id == T.tvm_struct_get(b, 0, 9, "int32"), "main.b.device_id must be dev_id"
    assert not T.isnullptr(B), "main.b must have memory"
    assert T.tvm_struct_get(c, 0, 5, "uint8") == T.uint8(10) and T.tvm_struct_get(c, 0, 6, "uint8") == T.uint8(8) and T.tvm_struct_get(c, 0, 7, "uint16") == T.uint16(1), "main.c must have the dtype e4m3_float8"
    assert T.Cast("int32", main_c_shape_1[0]) == 0, "main.c.shape[0] must be 0"
    assert T.Cast("int32", main_c_shape_1[1]) == 4, "main.c.shape[1] must be 4"
    if not T.isnullptr(main_c_strides):
        assert T.bool(True), "main.c must be compact"
        T.evaluate(0)
    assert T.uint64(0) == T.tvm_struct_get(c, 0, 8, "uint64"), "main.c.byte_offset must be T.uint64(0)"
    assert T.tvm_struct_get(c, 0, 10, "int32") == 1, "main.c.device_type must be 1"
    assert dev_id == T.tvm_struct_get(c, 0, 9, "int32"), "main.c.device_id must be dev_id"
    assert T.bool(True), "main.c must have memory"
    A_1 = T.decl_buffer((4, 8), "int4", data=A)
    B_1 = T.decl_buffer((), "bool", data=B)
    C_1 = T.decl_buffer((0, 4), "e4m3_float8", data=C)
    with T.attr(0, "compute_scope", "main_compute_"):
        B_1[()] = A_1[0, 0] == T.int4(0)
    return 0
