# pass: tir.ExtractPrimFuncConstants
@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((8,), "int32")):
        for i in range(8):
            B[i] = i

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((8,), "int32")):
        for i in range(8):
            B[i] = i
