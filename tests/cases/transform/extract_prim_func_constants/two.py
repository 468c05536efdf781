# pass: tir.ExtractPrimFuncConstants
# differs from TVM: its text leaves the data of the attribute out
@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((8,), "int32")):
        c = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 8], "int32", [8])
        C = T.Buffer((8,), "int32", data=c)
        d = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 9], "int32", [8])
        D = T.Buffer((8,), "int32", data=d)
        for i in range(8):
            B[i] = C[i] + D[i]
    @T.prim_func
    def other(B: T.Buffer((8,), "int32")):
        c = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 8], "int32", [8])
        C = T.Buffer((8,), "int32", data=c)
        for i in range(8):
            B[i] = C[i]

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    I.module_attrs({"constants": [T.data("int32", [8], [1, 2, 3, 4, 5, 6, 7, 8]), T.data("int32", [8], [1, 2, 3, 4, 5, 6, 7, 9])]})
    @T.prim_func
    def other(B: T.Buffer((8,), "int32")):
        C = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 8], "int32", [8])
        for i in range(8):
            C_1 = T.Buffer((8,), "int32", data=C)
            B[i] = C_1[i]

    @T.prim_func
    def main(B: T.Buffer((8,), "int32")):
        C = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 8], "int32", [8])
        D = T.allocate_const([1, 2, 3, 4, 5, 6, 7, 9], "int32", [8])
        for i in range(8):
            C_1 = T.Buffer((8,), "int32", data=C)
            D_1 = T.Buffer((8,), "int32", data=D)
            B[i] = C_1[i] + D_1[i]
