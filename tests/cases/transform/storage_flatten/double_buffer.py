# pass: tir.StorageFlatten(64)
# values: not compared: realized regions do not run
# differs from TVM: its text does not read back; tests/ir/transform/memory compares
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        T.realize(C[0:16, 0:8], "")
        for i in range(16):
            B = T.Buffer((16, 8))
            T.realize(B[i:i + 1, 0:8], "")
            with T.attr(B, "double_buffer_scope", 1):
                for j in range(8):
                    B[i, j] = A[i, j] + T.float32(1)
            for j in range(8):
                C[i, j] = B[i, j] * T.float32(2)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 8), "float32")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        for i in range(16):
            B = T.allocate([8], "float32", "global")
            B_1 = T.Buffer((8,), data=B, align=32)
            with T.attr(B, "double_buffer_scope", 1):
                for j in range(8):
                    A_1 = T.Buffer((128,), data=A.data)
                    B_1[j] = A_1[i * 8 + j] + T.float32(1)
            for j in range(8):
                C_1 = T.Buffer((128,), data=C.data)
                C_1[i * 8 + j] = B_1[j] * T.float32(2)
