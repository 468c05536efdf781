@I.ir_module
class Module:
    @T.prim_func
    def decl2(A: T.Buffer((16,), "float32"), n: T.int32):
        C = T.decl_buffer((16,))
        C[0] = 1.0

    @T.prim_func
    def decl3(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.decl_buffer((16,), 'int32', scope='local') as C:
            C[0] = 1

    @T.prim_func
    def buffer_alias(A: T.Buffer((16,), "float32"), n: T.int32):
        B = T.Buffer((4, 4), 'float32', data=A.data, elem_offset=4, align=16, offset_factor=4)
        B[0, 1] = 1.0
        C = T.Buffer(4, 'int32', A.data)
        C[0] = 2

    @T.prim_func
    def axis_sep(A: T.Buffer((16,), "float32"), n: T.int32):
        B = T.decl_buffer((4, 4), 'float32', data=A.data, axis_separators=[1])
        B[0, 1] = 1.0

    @T.prim_func
    def ptr(A: T.Buffer((16,), "float32"), n: T.int32):
        T.evaluate(A.access_ptr('r', offset=2))
        T.evaluate(A.access_ptr('rw'))
        T.evaluate(A.access_ptr(3, content_lanes=4))


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def axis_sep(A: T.Buffer((16,), "float32"), n: T.int32):
        B = T.decl_buffer((4, 4), data=A.data, axis_separators=[1])
        B[0, 1] = T.float32(1)

    @T.prim_func
    def buffer_alias(A: T.Buffer((16,), "float32"), n: T.int32):
        B = T.Buffer((4, 4), data=A.data, elem_offset=4, align=16, offset_factor=4)
        B[0, 1] = T.float32(1)
        C = T.Buffer((4,), "int32", data=A.data)
        C[0] = 2

    @T.prim_func
    def decl2(A: T.Buffer((16,), "float32"), n: T.int32):
        C = T.decl_buffer((16,))
        C[0] = T.float32(1)

    @T.prim_func
    def decl3(A: T.Buffer((16,), "float32"), n: T.int32):
        C = T.decl_buffer((16,), "int32", scope="local")
        C[0] = 1

    @T.prim_func
    def ptr(A: T.Buffer((16,), "float32"), n: T.int32):
        T.tvm_access_ptr(T.type_annotation("float32"), A.data, 2, 14, 1)
        T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 16, 3)
        T.tvm_access_ptr(T.type_annotation("float32x4"), A.data, 0, 4, 3)
