# pass: tir.MakePackedAPI(convention="tvm-ffi")
# differs from TVM: it has no tvm-ffi
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
    def public(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
        T.func_attr({"calling_conv": 1, "global_symbol": "__tvm_ffi_public", "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        assert num_args == 2, "public takes 2 arguments"
        assert not T.isnullptr(args), "public is called without arguments"
        A_type_index: T.int32 = T.tvm_struct_get(args, 0, 13, "int32")
        assert A_type_index == 0 or A_type_index == 4 or A_type_index == 7 or A_type_index >= 64, "public: argument 0 (A) must be a pointer or an array"
        n_type_index: T.int32 = T.tvm_struct_get(args, 1, 13, "int32")
        assert n_type_index == 1 or n_type_index == 2, "public: argument 1 (n) must be an integer"
        A: T.handle("float32", "global") = T.if_then_else(A_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 0, 15, "handle"), 24), T.tvm_struct_get(args, 0, 15, "handle"))
        n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 1, 15, "int64"))
        with T.attr(0, "compute_scope", "public_compute_"):
            A_1 = T.decl_buffer((4,), data=A)
            A_1[n] = T.float32(1)
        return 0

    @T.prim_func
    def main(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
        T.func_attr({"calling_conv": 1, "global_symbol": "__tvm_ffi_main", "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
        assert num_args == 2, "main takes 2 arguments"
        assert not T.isnullptr(args), "main is called without arguments"
        A_handle_type_index: T.int32 = T.tvm_struct_get(args, 0, 13, "int32")
        assert A_handle_type_index == 0 or A_handle_type_index == 4 or A_handle_type_index == 7 or A_handle_type_index >= 64, "main: argument 0 (A_handle) must be a pointer or an array"
        n_type_index: T.int32 = T.tvm_struct_get(args, 1, 13, "int32")
        assert n_type_index == 1 or n_type_index == 2, "main: argument 1 (n) must be an integer"
        A_handle: T.handle = T.if_then_else(A_handle_type_index == 70, T.handle_add_byte_offset(T.tvm_struct_get(args, 0, 15, "handle"), 24), T.tvm_struct_get(args, 0, 15, "handle"))
        n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 1, 15, "int64"))
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
            T.Call("void", "tir.tvm_call_cpacked", ["__tvm_ffi_public", A, n, T.reinterpret("handle", T.uint64(0))])
            Module.private(A, n)
        return 0
