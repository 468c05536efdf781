# pass: tir.StorageFlatten(64)
# values: not compared: realized regions do not run
# differs from TVM: its prefetches are of other rows
@T.prim_func
def main(A: T.Buffer((25, 100, 40), "float32"), B: T.Buffer((25, 100, 40), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    for i in range(25):
        T.prefetch(A, [T.Range(i, i + 1), T.Range(3, 20), T.Range(8, 40)])
        for j, k in T.grid(100, 4):
            B[i, j, k] = A[i, j, k]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((25, 100, 40), "float32"), B: T.Buffer((25, 100, 40), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for i in range(25):
        A_1 = T.Buffer((100000,), data=A.data)
        for prefetch_A_0, prefetch_A_1, prefetch_A_2 in T.grid(1, 17, 2):
            T.prefetch(T.address_of(A_1[i * 4000 + prefetch_A_0 * 4000 + prefetch_A_1 * 40 + prefetch_A_2 * 16 + 128]), 0, 3, 1)
        for j, k in T.grid(100, 4):
            B_1 = T.Buffer((100000,), data=B.data)
            B_1[i * 4000 + j * 40 + k] = A_1[i * 4000 + j * 40 + k]
