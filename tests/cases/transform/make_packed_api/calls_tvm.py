# pass: tir.MakePackedAPI(convention="tvm-0.17")
# differs from TVM: its messages are others
# values: not compared: the interpreter has no packed functions
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32"), n: T.int32):
        T.func_attr({"target": T.target("c", host="c")})
        Module.public(A.data, n)
        Module.private(A.data, n)

    @T.prim_func
    def public(a: T.handle("float32"), n: T.int32):
        T.func_attr({"target": T.target("c", host="c")})
        A = T.decl_buffer((4,), data=a)
        A[n] = T.float32(1)

    @T.prim_func(private=True)
    def private(a: T.handle("float32"), n: T.int32):
        T.func_attr({"target": T.target("c", host="c")})
        A = T.decl_buffer((4,), data=a)
        A[n] = T.float32(2)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def private(A: T.handle("float32", "global"), n: T.int32):
        T.func_attr({"target": T.target({"host": {"keys": ["cpu"], "kind": "c", "tag": ""}, "keys": ["cpu"], "kind": "c", "tag": ""})})
        A_1 = T.decl_buffer((4,), data=A)
        A_1[n] = T.float32(2)

    @T.prim_func
    def public(args: T.handle, arg_type_ids: T.handle("int32", "global"), num_args: T.int32, out_ret_value: T.handle("void"), out_ret_tcode: T.handle("int32"), resource_handle: T.handle) -> T.int32:
        T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        assert num_args == 2, "public takes 2 arguments"
        assert not T.isnullptr(args), "public is called without arguments"
        assert not T.isnullptr(arg_type_ids), "public is called without type codes"
        arg_type_ids_1 = T.decl_buffer((2,), "int32", data=arg_type_ids)
        A_code: T.int32 = arg_type_ids_1[0]
        assert A_code == 3 or A_code == 13 or A_code == 7 or A_code == 4, "public: argument 0 (A) must be a pointer or an array"
        n_code: T.int32 = arg_type_ids_1[1]
        assert n_code == 0, "public: argument 1 (n) must be an integer"
        A: T.handle("float32", "global") = T.tvm_struct_get(args, 0, 12, "handle")
        n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 1, 12, "int64"))
        with T.attr(0, "compute_scope", "public_compute_"):
            A_1 = T.decl_buffer((4,), data=A)
            A_1[n] = T.float32(1)
        return 0

    @T.prim_func
    def main(args: T.handle, arg_type_ids: T.handle("int32", "global"), num_args: T.int32, out_ret_value: T.handle("void"), out_ret_tcode: T.handle("int32"), resource_handle: T.handle) -> T.int32:
        T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        assert num_args == 2, "main takes 2 arguments"
        assert not T.isnullptr(args), "main is called without arguments"
        assert not T.isnullptr(arg_type_ids), "main is called without type codes"
        arg_type_ids_1 = T.decl_buffer((2,), "int32", data=arg_type_ids)
        A_handle_code: T.int32 = arg_type_ids_1[0]
        assert A_handle_code == 3 or A_handle_code == 13 or A_handle_code == 7 or A_handle_code == 4, "main: argument 0 (A_handle) must be a pointer or an array"
        n_code: T.int32 = arg_type_ids_1[1]
        assert n_code == 0, "main: argument 1 (n) must be an integer"
        A_handle: T.handle = T.tvm_struct_get(args, 0, 12, "handle")
        n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 1, 12, "int64"))
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
        assert T.Cast("int32", main_A_handle_shape_1[0]) == 4, "main.A_handle.shape[0] must be 4"
        if not T.isnullptr(main_A_handle_strides):
            assert 1 == T.Cast("int32", main_A_handle_strides_1[0]), "main.A_handle must be compact"
            T.evaluate(0)
        assert T.uint64(0) == T.tvm_struct_get(A_handle, 0, 8, "uint64"), "main.A_handle.byte_offset must be T.uint64(0)"
        assert T.tvm_struct_get(A_handle, 0, 10, "int32") == 1, "main.A_handle.device_type must be 1"
        assert not T.isnullptr(A), "main.A_handle must have memory"
        A_1 = T.decl_buffer((4,), data=A)
        with T.attr(0, "compute_scope", "main_compute_"):
            T.Call("void", "tir.tvm_call_cpacked", ["public", A, n, T.reinterpret("handle", T.uint64(0))])
            Module.private(A, n)
        return 0
