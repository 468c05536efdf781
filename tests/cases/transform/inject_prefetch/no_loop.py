# pass: tir.InjectPrefetch
# raises: PrefetchOutsideLoop
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), B: T.Buffer((16, 64), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    with T.attr(A, "prefetch_scope", 1):
        for i in range(14):
            for j in range(62):
                B[i, j] = A[i, j]

# after
error[TS4044]: a prefetch of A is outside of any loop
 --> <text>:4:10
  |
4 |     with T.attr(A, "prefetch_scope", 1):
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
