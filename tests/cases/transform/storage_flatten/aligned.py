# pass: tir.StorageFlatten(64)
# values: not compared: realized regions do not run
# differs from TVM: its text does not read back; tests/ir/transform/memory compares
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    C = T.Buffer((8, 8), "float32")
    with T.attr(C, "buffer_dim_align", T.tvm_tuple(0, 16, 5)):
        T.realize(C[0:8, 0:8], "")
        for i, j in T.grid(8, 8):
            C[i, j] = A[i, j]
        for i, j in T.grid(8, 8):
            B[i, j] = C[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    C = T.allocate([168], "float32", "global")
    C_1 = T.Buffer((168,), data=C)
    for i, j in T.grid(8, 8):
        A_1 = T.Buffer((64,), data=A.data)
        C_1[i * 21 + j] = A_1[i * 8 + j]
    for i, j in T.grid(8, 8):
        B_1 = T.Buffer((64,), data=B.data)
        B_1[i * 8 + j] = C_1[i * 21 + j]
