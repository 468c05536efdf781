# pass: tir.DecorateDeviceScope
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1,), "float32")):
        A[0] = T.float32(0)

    @T.prim_func(private=True)
    def other(A: T.Buffer((1,), "float32")):
        A[0] = T.float32(1)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def other(A: T.Buffer((1,), "float32")):
        T.attr(0, "device_scope", 0)
        A[0] = T.float32(1)

    @T.prim_func
    def main(A: T.Buffer((1,), "float32")):
        T.attr(0, "device_scope", 0)
        A[0] = T.float32(0)
