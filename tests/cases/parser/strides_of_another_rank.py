@I.ir_module
class Module:
    @T.prim_func
    def strides1(a: T.handle):
        A = T.match_buffer(a, (4, 4), "float32", strides=(1,))
        A[0, 0] = 0.0

    @T.prim_func
    def strides2(a: T.handle):
        A = T.match_buffer(a, (4, 4), "float32", strides=[16, 4, 1])
        A[0, 0] = 0.0

    @T.prim_func
    def strides3(A: T.Buffer((4, 4), "float32", strides=(4,))):
        A[0, 0] = 0.0

    @T.prim_func
    def strides4(A: T.Buffer((4, 4), "float32")):
        B = T.decl_buffer((4, 4), "float32", data=A.data, strides=[1])
        B[0, 0] = 0.0

    @T.prim_func
    def strides5(A: T.Buffer((4, 4), "float32")):
        B = T.alloc_buffer((4, 4), "float32", strides=[1])
        C = T.alloc_buffer((4,), "float32", strides=[4, 1])
        B[0, 0] = A[0, 0] + C[0]


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def strides1(a: T.handle):
        A = T.match_buffer(a, (4, 4), strides=(1,))
        A[0, 0] = T.float32(0)

    @T.prim_func
    def strides2(a: T.handle):
        A = T.match_buffer(a, (4, 4), strides=(16, 4, 1))
        A[0, 0] = T.float32(0)

    @T.prim_func
    def strides3(A_handle: T.handle):
        A = T.match_buffer(A_handle, (4, 4), strides=(4,))
        A[0, 0] = T.float32(0)

    @T.prim_func
    def strides4(A: T.Buffer((4, 4), "float32")):
        B = T.decl_buffer((4, 4), data=A.data, strides=(1,))
        B[0, 0] = T.float32(0)

    @T.prim_func
    def strides5(A: T.Buffer((4, 4), "float32")):
        # with T.block("root"):
        B = T.alloc_buffer((4, 4), strides=(1,))
        C = T.alloc_buffer((4,), strides=(4, 1))
        B[0, 0] = A[0, 0] + C[0]
