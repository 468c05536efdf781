# pass: tir.StorageFlatten(64, create_bound_attribute=True)
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": True})
    for i, j in T.grid(8, 8):
        B[i, j] = A[i, j] + A[j, i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for i, j in T.grid(8, 8):
        T.attr(B.data, "buffer_bound", T.tvm_tuple(T.Mul(1, 8) * T.Mul(1, 8)))
        T.attr(A.data, "buffer_bound", T.tvm_tuple(T.Mul(1, 8) * T.Mul(1, 8)))
        T.attr(A.data, "buffer_bound", T.tvm_tuple(T.Mul(1, 8) * T.Mul(1, 8)))
        B_1 = T.Buffer((64,), data=B.data)
        A_1 = T.Buffer((64,), data=A.data)
        B_1[i * 8 + j] = A_1[i * 8 + j] + A_1[j * 8 + i]
