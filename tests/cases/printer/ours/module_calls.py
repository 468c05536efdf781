# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def g(x: T.int32) -> T.int32:
        return x

    @T.prim_func
    def main(x: T.int32):
        Module.g(x)
        T.Call("void", Module.g, [x])
        T.Call("int32", I.GlobalVar("other"), [x])
