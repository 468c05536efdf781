# pass: tir.InjectPrefetch
# values: not compared: prefetches do not run
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    for i in range(8):
        with T.attr(A, "prefetch_scope", 1):
            for j in range(8):
                B[i * 8 + j] = A[i * 8 + j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for i in range(8):
        T.prefetch(A, [T.Range(i * 8 + 8, 8 + (i * 8 + 8))])
        for j in range(8):
            B[i * 8 + j] = A[i * 8 + j]
