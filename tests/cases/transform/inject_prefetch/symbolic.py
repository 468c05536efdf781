# pass: tir.InjectPrefetch
# differs from TVM: an index that is the loop alone is twice as far ahead there
# values: not compared: prefetches do not run
@T.prim_func
def main(a: T.handle, B: T.Buffer((16, 64), "float32"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": True})
    A = T.match_buffer(a, (n, n))
    for i in range(14):
        with T.attr(A, "prefetch_scope", n):
            for j in range(n):
                for k in range(3):
                    B[i, j] = A[i, j + k]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, B: T.Buffer((16, 64), "float32"), n: T.int32):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    A = T.match_buffer(a, (n, n))
    for i in range(14):
        T.prefetch(A, [T.Range(i + n, 1 + (i + n)), T.Range(0, n + 2)])
        for j, k in T.grid(n, 3):
            B[i, j] = A[i, j + k]
