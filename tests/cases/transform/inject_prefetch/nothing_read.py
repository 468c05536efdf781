# pass: tir.InjectPrefetch
# differs from TVM: its prefetch has no region
# values: not compared: prefetches do not run
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), B: T.Buffer((16, 64), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    for i in range(14):
        with T.attr(A, "prefetch_scope", 1):
            for j in range(62):
                B[i, j] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), B: T.Buffer((16, 64), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for i, j in T.grid(14, 62):
        B[i, j] = T.float32(1)
