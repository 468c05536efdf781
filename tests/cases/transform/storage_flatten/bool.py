# pass: tir.StorageFlatten(64)
# values: not compared: realized regions do not run
# differs from TVM: its text does not read back; tests/ir/transform/memory compares
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        B = T.Buffer((16,), "bool")
        T.realize(B[0:16], "")
        for i in range(16):
            B[i] = A[i] > T.float32(1)
        T.realize(C[0:16], "")
        for i in range(16):
            C[i] = T.if_then_else(B[i], A[i], T.float32(0))

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        B = T.allocate([16], "int8", "global")
        B_1 = T.Buffer((16,), "int8", data=B, align=2)
        for i in range(16):
            B_1[i] = T.Cast("int8", A[i] > T.float32(1))
        for i in range(16):
            C[i] = T.if_then_else(T.Cast("bool", B_1[i]), A[i], T.float32(0))
