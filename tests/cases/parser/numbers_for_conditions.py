@I.ir_module
class Module:
    @T.prim_func
    def boolish(A: T.Buffer((16,), "float32"), n: T.int32):
        if (A[0] < 1.0 and n > 1) == 0:
            A[0] = 0.0

    @T.prim_func
    def boolvar(A: T.Buffer((16,), "float32"), n: T.int32, b: T.bool):
        c = n < 3
        if c:
            A[0] = 1.0
        if b:
            A[0] = 2.0
        if not b:
            A[0] = 2.0
        d: T.bool = b
        if d == True:
            A[0] = 3.0
        A[1] = T.Select(b, 1.0, 2.0)
        A[2] = T.Cast("float32", b)


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def boolish(A: T.Buffer((16,), "float32"), n: T.int32):
        if (A[0] < T.float32(1) and n > 1) == T.bool(False):
            A[0] = T.float32(0)

    @T.prim_func
    def boolvar(A: T.Buffer((16,), "float32"), n: T.int32, b: T.bool):
        c: T.bool = n < 3
        if c:
            A[0] = T.float32(1)
        if b:
            A[0] = T.float32(2)
        if not b:
            A[0] = T.float32(2)
        d: T.bool = b
        if d == T.bool(True):
            A[0] = T.float32(3)
        A[1] = T.Select(b, T.float32(1), T.float32(2))
        A[2] = T.Cast("float32", b)
