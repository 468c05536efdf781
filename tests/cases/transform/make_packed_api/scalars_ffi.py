# pass: tir.MakePackedAPI(convention="tvm-ffi")
# differs from TVM: it has no tvm-ffi
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(A: T.Buffer((1,), "float32"), n: T.int32, x: T.float32, b: T.bool, u: T.uint8):
    T.func_attr({"target": T.target("c", host="c")})
    A[0] = T.Select(b, x, T.float32(n + u))

# after
# from tvm.script import tir as T

@T.prim_func
def __tvm_ffi_main(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    assert num_args == 5, "main takes 5 arguments"
    assert not T.isnullptr(args), "main is called without arguments"
    A_handle_type_index: T.int32 = T.tvm_struct_get(args, 0, 13, "int32")
    assert A_handle_type_index == 0 or A_handle_type_index == 4 or A_handle_type_index == 7 or A_handle_type_index >= 64, "main: argument 0 (A_handle) must be a pointer or an array"
    n_type_index: T.int32 = T.tvm_struct_get(args, 1, 13, "int32")
    assert n_type_index == 1 or n_type_index == 2, "main: argument 1 (n) must be an integer"
    x_type_index: T.int32 = T.tvm_struct_get(args, 2, 13, "int32")
    assert x_type_index == 3 or x_type_index == 1 or x_type_index == 2, "main: argument 2 (x) must be a number"
    b_type_index: T.int32 = T.tvm_struct_get(args, 3, 13, "int32")
    assert b_type_index == 2 or b_type_index == 1, "main: argument 3 (b) must be a bool"
    u_type_index: T.int32 = T.tvm_struct_get(args, 4, 13, "int32")
    assert u_type_index == 1 or u_type_index == 2, "main: argument 4 (u) must be an integer"
    A_handle: T.handle = T.if_then_else(A_handle_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 0, 15, "handle"), 24), T.tvm_struct_get(args, 0, 15, "handle"))
    n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 1, 15, "int64"))
    x: T.float32 = T.Select(x_type_index == 3, T.Cast("float32", T.tvm_struct_get(args, 2, 15, "float64")), T.Cast("float32", T.tvm_struct_get(args, 2, 15, "int64")))
    b: T.bool = T.Cast("bool", T.tvm_struct_get(args, 3, 15, "int64"))
    u: T.uint8 = T.Cast("uint8", T.tvm_struct_get(args, 4, 15, "int64"))
    assert not T.isnullptr(A_handle), "main.A_handle must be an array, not nothing"
    assert 1 == T.tvm_struct_get(A_handle, 0, 4, "int32"), "main.A_handle must have 1 dimensions"
    main_A_handle_shape: T.handle("int64", "global") = T.tvm_struct_get(A_handle, 0, 2, "handle")
    main_A_handle_shape_1 = T.decl_buffer((1,), "int64", data=main_A_handle_shape)
    main_A_handle_strides: T.handle("int64", "global") = T.tvm_struct_get(A_handle, 0, 3, "handle")
    main_A_handle_strides_1 = T.decl_buffer((0,), "int64", data=main_A_handle_strides)
    dev_id: T.int32 = T.tvm_struct_get(A_handle, 0, 9, "int32")
    A: T.handle("float32", "global") = T.tvm_struct_get(A_handle, 0, 1, "handle")
    T.attr(A, "storage_alignment", 64)
    T.attr("default", "device_id", dev_id)
    T.attr("default", "device_type", 1)
    assert T.tvm_struct_get(A_handle, 0, 5, "uint8") == T.uint8(2) and T.tvm_struct_get(A_handle, 0, 6, "uint8") == T.uint8(32) and T.tvm_struct_get(A_handle, 0, 7, "uint16") == T.uint16(1), "main.A_handle must have the dtype float32"
    assert T.Cast("int32", main_A_handle_shape_1[0]) == 1, "main.A_handle.shape[0] must be 1"
    if not T.isnullptr(main_A_handle_strides):
        assert T.bool(True), "main.A_handle must be compact"
        T.evaluate(0)
    assert T.uint64(0) == T.tvm_struct_get(A_handle, 0, 8, "uint64"), "main.A_handle.byte_offset must be T.uint64(0)"
    assert T.tvm_struct_get(A_handle, 0, 10, "int32") == 1, "main.A_handle.device_type must be 1"
    assert not T.isnullptr(A), "main.A_handle must have memory"
    A_1 = T.decl_buffer((1,), data=A)
    with T.attr(0, "compute_scope", "main_compute_"):
        A_1[0] = T.Select(b, x, T.Cast("float32", n + T.Cast("int32", u)))
    return 0
