# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def g(x: T.int32):
        T.evaluate(x)

    @T.prim_func(private=True)
    def h(x: T.int32) -> T.int32:
        return x + 1

    @T.prim_func
    def main(x: T.int32):
        Module.g(x)
        T.evaluate(Module.h(x) + 1)
