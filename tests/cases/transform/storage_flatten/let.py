# pass: tir.StorageFlatten(64)
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": True})
    with T.LetStmt(A[1, 2]) as x:
        for i, j in T.grid(8, 8):
            B[i, j] = x

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    A_1 = T.Buffer((64,), data=A.data)
    x: T.float32 = A_1[10]
    for i, j in T.grid(8, 8):
        B_1 = T.Buffer((64,), data=B.data)
        B_1[i * 8 + j] = x
