# pass: tir.StorageFlatten(64)
# values: not compared: realized regions do not run
# differs from TVM: its text does not read back; tests/ir/transform/memory compares
@T.prim_func
def main(A: T.Buffer((100,), "float32"), B: T.Buffer((25,), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    for i in range(25):
        C = T.Buffer((25,), "float32")
        T.realize(C[i * 3:i * 3 + 3], "")
        D = T.Buffer((25,), "int8")
        T.realize(D[i * 3:i * 3 + 3], "shared")
        for j in range(3):
            C[i * 3 + j] = A[i * 3 + j]
            D[i * 3 + j] = T.int8(1)
        B[i] = C[i * 3 + 1] + T.Cast("float32", D[i * 3])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((100,), "float32"), B: T.Buffer((25,), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for i in range(25):
        C = T.allocate([3], "float32", "global")
        D = T.allocate([3], "int8", "global")
        C_1 = T.Buffer((3,), data=C, align=8)
        D_1 = T.Buffer((3,), "int8", data=D, align=2)
        for j in range(3):
            C_1[j] = A[i * 3 + j]
            D_1[j] = T.int8(1)
        B[i] = C_1[1] + T.Cast("float32", D_1[0])
