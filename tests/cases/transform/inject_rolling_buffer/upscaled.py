# pass: tir.InjectRollingBuffer
# values: not compared: realized regions do not run
# differs from TVM: its text of realized regions does not read back
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((13, 16), "int8"), pool_b: T.Buffer((20, 16), "int8")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        T.realize(pool_b[0:20, 0:16], "")
        for i0_outer in range(5):
            pool_a = T.Buffer((11, 16), "int8")
            T.realize(pool_a[i0_outer * 2:i0_outer * 2 + 3, 0:16], "")
            T.attr(pool_a, "rolling_buffer_scope", T.bool(True))
            for i0_idx, i1 in T.grid(3, 16):
                if T.likely(i0_outer * 2 + i0_idx >= 0):
                    if T.likely(i0_outer * 2 + i0_idx < 11):
                        pool_a[i0_outer * 2 + i0_idx, i1] = T.max(T.max(A[i0_outer * 2 + i0_idx, i1], A[i0_outer * 2 + i0_idx + 1, i1]), A[i0_outer * 2 + i0_idx + 2, i1])
            for i0_inner, i1 in T.grid(4, 16):
                pool_b[i0_inner + i0_outer * 4, i1] = T.max(T.max(pool_a[(i0_inner + i0_outer * 4) // 2, i1], pool_a[(i0_inner + i0_outer * 4 + 1) // 2, i1]), pool_a[(i0_inner + i0_outer * 4 + 2) // 2, i1])

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((13, 16), "int8"), pool_b: T.Buffer((20, 16), "int8")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        T.realize(pool_b[0:20, 0:16], "")
        pool_a = T.Buffer((11, 16), "int8")
        T.realize(pool_a[0:3, 0:16], "")
        for i0_outer in range(5):
            for i0_idx, i1 in T.grid(3, 16):
                if T.likely(i0_outer * 2 + i0_idx >= 0):
                    if T.likely(i0_outer * 2 + i0_idx < 11):
                        if T.likely(i0_outer < 1 or i0_idx >= 1):
                            pool_a[(i0_outer * 2 + i0_idx) % 3, i1] = T.max(T.max(A[i0_outer * 2 + i0_idx, i1], A[i0_outer * 2 + i0_idx + 1, i1]), A[i0_outer * 2 + i0_idx + 2, i1])
            for i0_inner, i1 in T.grid(4, 16):
                pool_b[i0_inner + i0_outer * 4, i1] = T.max(T.max(pool_a[(i0_inner + i0_outer * 4) // 2 % 3, i1], pool_a[(i0_inner + i0_outer * 4 + 1) // 2 % 3, i1]), pool_a[(i0_inner + i0_outer * 4 + 2) // 2 % 3, i1])
