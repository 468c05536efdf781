# pass: tir.InjectRollingBuffer
# values: not compared: realized regions do not run
# differs from TVM: its text of realized regions does not read back
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((20, 14), "int8"), pc: T.Buffer((14, 14), "int8")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        T.realize(pc[0:14, 0:14], "")
        for i0_outer in range(7):
            pa = T.Buffer((18, 14), "int8")
            T.realize(pa[i0_outer * 2:i0_outer * 2 + 6, 0:14], "")
            T.attr(pa, "rolling_buffer_scope", T.bool(True))
            for i0_idx, i1 in T.grid(6, 14):
                if T.likely(i0_outer * 2 + i0_idx >= 0):
                    if T.likely(i0_outer * 2 + i0_idx < 18):
                        pa[i0_outer * 2 + i0_idx, i1] = T.max(T.max(A[i0_outer * 2 + i0_idx, i1], A[i0_outer * 2 + i0_idx + 1, i1]), A[i0_outer * 2 + i0_idx + 2, i1])
            pb = T.Buffer((16, 14), "int8")
            T.realize(pb[i0_outer * 2:i0_outer * 2 + 4, 0:14], "")
            T.attr(pb, "rolling_buffer_scope", T.bool(True))
            for i0_idx, i1 in T.grid(4, 14):
                if T.likely(i0_outer * 2 + i0_idx >= 0):
                    if T.likely(i0_outer * 2 + i0_idx < 16):
                        pb[i0_outer * 2 + i0_idx, i1] = T.max(T.max(pa[i0_outer * 2 + i0_idx, i1], pa[i0_outer * 2 + i0_idx + 1, i1]), pa[i0_outer * 2 + i0_idx + 2, i1])
            for i0_inner, i1 in T.grid(2, 14):
                pc[i0_inner + i0_outer * 2, i1] = T.max(T.max(pb[i0_inner + i0_outer * 2, i1], pb[i0_inner + i0_outer * 2 + 1, i1]), pb[i0_inner + i0_outer * 2 + 2, i1])

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((20, 14), "int8"), pc: T.Buffer((14, 14), "int8")):
        T.func_attr({"from_legacy_te_schedule": T.bool(True)})
        T.realize(pc[0:14, 0:14], "")
        pb = T.Buffer((16, 14), "int8")
        T.realize(pb[0:4, 0:14], "")
        pa = T.Buffer((18, 14), "int8")
        T.realize(pa[0:6, 0:14], "")
        for i0_outer in range(7):
            for i0_idx, i1 in T.grid(6, 14):
                if T.likely(i0_outer * 2 + i0_idx >= 0):
                    if T.likely(i0_outer * 2 + i0_idx < 18):
                        if T.likely(i0_outer < 1 or i0_idx >= 4):
                            pa[(i0_outer * 2 + i0_idx) % 6, i1] = T.max(T.max(A[i0_outer * 2 + i0_idx, i1], A[i0_outer * 2 + i0_idx + 1, i1]), A[i0_outer * 2 + i0_idx + 2, i1])
            for i0_idx, i1 in T.grid(4, 14):
                if T.likely(i0_outer * 2 + i0_idx >= 0):
                    if T.likely(i0_outer * 2 + i0_idx < 16):
                        if T.likely(i0_outer < 1 or i0_idx >= 2):
                            pb[(i0_outer * 2 + i0_idx) % 4, i1] = T.max(T.max(pa[(i0_outer * 2 + i0_idx) % 6, i1], pa[(i0_outer * 2 + i0_idx + 1) % 6, i1]), pa[(i0_outer * 2 + i0_idx + 2) % 6, i1])
            for i0_inner, i1 in T.grid(2, 14):
                pc[i0_inner + i0_outer * 2, i1] = T.max(T.max(pb[(i0_inner + i0_outer * 2) % 4, i1], pb[(i0_inner + i0_outer * 2 + 1) % 4, i1]), pb[(i0_inner + i0_outer * 2 + 2) % 4, i1])
