# pass: tir.MakePackedAPI(convention="tvm-0.17")
# differs from TVM: its messages are others
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(a: T.handle, b: T.handle):
    T.func_attr({"target": T.target("c", host="c")})
    n = T.int32()
    m = T.int32()
    o = T.int32()
    A = T.match_buffer(a, (n, n * 2), strides=(m, 1), elem_offset=o, offset_factor=4)
    B = T.match_buffer(b, (n, 1), "int8")
    A[0, 0] = T.float32(B[0, 0])

# after
# from tvm.script import tir as T

@T.prim_func
def main(args: T.handle, arg_type_ids: T.handle("int32", "global"), num_args: T.int32, out_ret_value: T.handle("void"), out_ret_tcode: T.handle("int32"), resource_handle: T.handle) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    assert num_args == 2, "main takes 2 arguments"
    assert not T.isnullptr(args), "main is called without arguments"
    assert not T.isnullptr(arg_type_ids), "main is called without type codes"
    arg_type_ids_1 = T.decl_buffer((2,), "int32", data=arg_type_ids)
    a_code: T.int32 = arg_type_ids_1[0]
    assert a_code == 3 or a_code == 13 or a_code == 7 or a_code == 4, "main: argument 0 (a) must be a pointer or an array"
    b_code: T.int32 = arg_type_ids_1[1]
    assert b_code == 3 or b_code == 13 or b_code == 7 or b_code == 4, "main: argument 1 (b) must be a pointer or an array"
    a: T.handle = T.tvm_struct_get(args, 0, 12, "handle")
    b: T.handle = T.tvm_struct_get(args, 1, 12, "handle")
    assert not T.isnullptr(a), "main.a must be an array, not nothing"
    assert 2 == T.tvm_struct_get(a, 0, 4, "int32"), "main.a must have 2 dimensions"
    main_a_shape: T.handle("int64", "global") = T.tvm_struct_get(a, 0, 2, "handle")
    main_a_shape_1 = T.decl_buffer((2,), "int64", data=main_a_shape)
    n: T.int32 = T.Cast("int32", main_a_shape_1[0])
    main_a_strides: T.handle("int64", "global") = T.tvm_struct_get(a, 0, 3, "handle")
    main_a_strides_1 = T.decl_buffer((2,), "int64", data=main_a_strides)
    A_s0: T.int32 = T.if_then_else(T.isnullptr(main_a_strides), T.Cast("int32", main_a_shape_1[1]), T.Cast("int32", main_a_strides_1[0]))
    o: T.int32 = T.Cast("int32", T.Div(T.tvm_struct_get(a, 0, 8, "uint64"), T.uint64(4)))
    dev_id: T.int32 = T.tvm_struct_get(a, 0, 9, "int32")
    A: T.handle("float32", "global") = T.tvm_struct_get(a, 0, 1, "handle")
    T.attr(A, "storage_alignment", 64)
    assert not T.isnullptr(b), "main.b must be an array, not nothing"
    assert 2 == T.tvm_struct_get(b, 0, 4, "int32"), "main.b must have 2 dimensions"
    main_b_shape: T.handle("int64", "global") = T.tvm_struct_get(b, 0, 2, "handle")
    main_b_shape_1 = T.decl_buffer((2,), "int64", data=main_b_shape)
    main_b_strides: T.handle("int64", "global") = T.tvm_struct_get(b, 0, 3, "handle")
    main_b_strides_1 = T.decl_buffer((0,), "int64", data=main_b_strides)
    B: T.handle("int8", "global") = T.tvm_struct_get(b, 0, 1, "handle")
    T.attr(B, "storage_alignment", 64)
    T.attr("default", "device_id", dev_id)
    T.attr("default", "device_type", 1)
    assert T.tvm_struct_get(a, 0, 5, "uint8") == T.uint8(2) and T.tvm_struct_get(a, 0, 6, "uint8") == T.uint8(32) and T.tvm_struct_get(a, 0, 7, "uint16") == T.uint16(1), "main.a must have the dtype float32"
    assert n * 2 == T.Cast("int32", main_a_shape_1[1]), "main.a.shape[1] must be n * 2"
    assert n <= 0 or T.if_then_else(T.isnullptr(main_a_strides), 1, T.Cast("int32", main_a_strides_1[1])) == 1, "main.a.strides[1] must be 1"
    assert T.truncmod(o, 4) == 0, "main.a.elem_offset must be a multiple of 4"
    assert T.tvm_struct_get(a, 0, 10, "int32") == 1, "main.a.device_type must be 1"
    assert n * (n * 2) == 0 or not T.isnullptr(A), "main.a must have memory"
    assert T.tvm_struct_get(b, 0, 5, "uint8") == T.uint8(0) and T.tvm_struct_get(b, 0, 6, "uint8") == T.uint8(8) and T.tvm_struct_get(b, 0, 7, "uint16") == T.uint16(1), "main.b must have the dtype int8"
    assert n == T.Cast("int32", main_b_shape_1[0]), "main.b.shape[0] must be n"
    assert T.Cast("int32", main_b_shape_1[1]) == 1, "main.b.shape[1] must be 1"
    if not T.isnullptr(main_b_strides):
        assert n == 0 or (n == 1 or 1 == T.Cast("int32", main_b_strides_1[0])), "main.b must be compact"
        T.evaluate(0)
    assert T.uint64(0) == T.tvm_struct_get(b, 0, 8, "uint64"), "main.b.byte_offset must be T.uint64(0)"
    assert T.tvm_struct_get(b, 0, 10, "int32") == 1, "main.b.device_type must be 1"
    assert dev_id == T.tvm_struct_get(b, 0, 9, "int32"), "main.b.device_id must be dev_id"
    assert n == 0 or not T.isnullptr(B), "main.b must have memory"
    A_1 = T.decl_buffer((n, n * 2), data=A, strides=(A_s0, 1), elem_offset=o, offset_factor=4)
    B_1 = T.decl_buffer((n, 1), "int8", data=B)
    with T.attr(0, "compute_scope", "main_compute_"):
        A_1[0, 0] = T.Cast("float32", B_1[0, 0])
    return 0
