# pass: tir.InjectPrefetch
# values: not compared: prefetches do not run
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), B: T.Buffer((16, 64), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    for i in range(14):
        with T.attr(A, "prefetch_scope", 1):
            for j in range(62):
                B[i, j] = A[i, j] + A[i + 2, j + 1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), B: T.Buffer((16, 64), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for i in range(14):
        T.prefetch(A, [T.Range(i + 1, 3 + (i + 1)), T.Range(0, 63)])
        for j in range(62):
            B[i, j] = A[i, j] + A[i + 2, j + 1]
