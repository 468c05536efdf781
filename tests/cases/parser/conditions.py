@I.ir_module
class Module:
    @T.prim_func
    def and_case(A: T.Buffer((16,), "float32"), n: T.int32):
        if n > 1 and n < 4 or not n == 3:
            A[0] = 1.0

    @T.prim_func
    def boolc(A: T.Buffer((16,), "float32"), n: T.int32):
        if True and n > 1:
            A[0] = 1.0
        if n > 1 or False:
            A[1] = 1.0

    @T.prim_func
    def if_folded(A: T.Buffer((16,), "float32"), n: T.int32):
        if T.bool(True):
            A[0] = 1.0
        else:
            A[1] = 1.0

    @T.prim_func
    def if_then_else(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.If(n > 1):
            with T.Then():
                A[0] = 1.0
            with T.Else():
                A[0] = 2.0

    @T.prim_func
    def elif_case(A: T.Buffer((16,), "float32"), n: T.int32):
        if n > 1:
            A[0] = 1.0
        elif n > 2:
            A[0] = 2.0
        else:
            A[0] = 3.0

    @T.prim_func
    def assert_case(A: T.Buffer((16,), "float32"), n: T.int32):
        assert n > 1, 'msg'
        A[0] = 1.0

    @T.prim_func
    def Assert(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.Assert(n > 1, 'msg'):
            A[0] = 1.0

    @T.prim_func
    def Assert2(A: T.Buffer((16,), "float32"), n: T.int32):
        T.Assert(n > 1, 'msg')
        A[0] = 1.0


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def Assert(A: T.Buffer((16,), "float32"), n: T.int32):
        assert n > 1, "msg"
        A[0] = T.float32(1)

    @T.prim_func
    def Assert2(A: T.Buffer((16,), "float32"), n: T.int32):
        assert n > 1, "msg"
        A[0] = T.float32(1)

    @T.prim_func
    def and_case(A: T.Buffer((16,), "float32"), n: T.int32):
        if n > 1 and n < 4 or not n == 3:
            A[0] = T.float32(1)

    @T.prim_func
    def assert_case(A: T.Buffer((16,), "float32"), n: T.int32):
        assert n > 1, "msg"
        A[0] = T.float32(1)

    @T.prim_func
    def boolc(A: T.Buffer((16,), "float32"), n: T.int32):
        if T.And(T.bool(True), n > 1):
            A[0] = T.float32(1)
        if T.Or(n > 1, T.bool(False)):
            A[1] = T.float32(1)

    @T.prim_func
    def elif_case(A: T.Buffer((16,), "float32"), n: T.int32):
        if n > 1:
            A[0] = T.float32(1)
        else:
            if n > 2:
                A[0] = T.float32(2)
            else:
                A[0] = T.float32(3)

    @T.prim_func
    def if_folded(A: T.Buffer((16,), "float32"), n: T.int32):
        if T.bool(True):
            A[0] = T.float32(1)
        else:
            A[1] = T.float32(1)

    @T.prim_func
    def if_then_else(A: T.Buffer((16,), "float32"), n: T.int32):
        if n > 1:
            A[0] = T.float32(1)
        else:
            A[0] = T.float32(2)
