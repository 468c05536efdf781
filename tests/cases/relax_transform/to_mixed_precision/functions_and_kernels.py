# pass: relax.ToMixedPrecision
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(2), T.int64(4)), "float32"), B: T.Buffer((T.int64(2), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(2), T.int64(4)):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
    @R.function(private=True)
    def helper(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32")) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.matmul(y, w)
            R.output(z)
        return z
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32")) -> R.Tensor((2, 4), "float32"):
        cls = Module
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = cls.helper(lv, w)
            lv2 = R.matmul(lv1, w)
            lv3 = R.call_tir(cls.k, (lv2,), R.Tensor((2, 4), "float32"))
            lv4 = R.matmul(lv3, w)
            lv5 = R.match_cast(lv4, R.Tensor((2, 4), "float32"))
            lv6 = R.matmul(lv5, w)
            lv7 = R.call_pure_packed("foo", lv6, sinfo_args=R.Tensor((2, 4), "float32"))
            lv8 = R.matmul(lv7, w)
            lv9 = lv8
            R.output(lv9)
        return lv9

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(2), T.int64(4)), "float32"), B: T.Buffer((T.int64(2), T.int64(4)), "float32")):
        # with T.block("root"):
        for i, j in T.grid(T.int64(2), T.int64(4)):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj]

    @R.function(private=True)
    def helper(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv2: R.Tensor((2, 4), dtype="float32") = R.matmul(lv, lv1, out_dtype="float32")
            y: R.Tensor((2, 4), dtype="float16") = R.astype(lv2, dtype="float16")
            z: R.Tensor((2, 4), dtype="float32") = R.matmul(y, lv1, out_dtype="float32")
            R.output(z)
        return z

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv2: R.Tensor((2, 4), dtype="float32") = R.matmul(lv, lv1, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv2, dtype="float16")
            lv3: R.Tensor((2, 4), dtype="float32") = R.astype(lv_1, dtype="float32")
            lv1_1: R.Tensor((2, 4), dtype="float32") = cls.helper(lv3, w)
            lv4: R.Tensor((2, 4), dtype="float16") = R.astype(lv1_1, dtype="float16")
            lv5: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv6: R.Tensor((2, 4), dtype="float32") = R.matmul(lv4, lv5, out_dtype="float32")
            lv2_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv6, dtype="float16")
            lv7: R.Tensor((2, 4), dtype="float32") = R.astype(lv2_1, dtype="float32")
            lv3_1 = R.call_tir(cls.k, (lv7,), out_sinfo=R.Tensor((2, 4), dtype="float32"))
            lv8: R.Tensor((2, 4), dtype="float16") = R.astype(lv3_1, dtype="float16")
            lv9: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv10: R.Tensor((2, 4), dtype="float32") = R.matmul(lv8, lv9, out_dtype="float32")
            lv4_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv10, dtype="float16")
            lv11: R.Tensor((2, 4), dtype="float32") = R.astype(lv4_1, dtype="float32")
            lv5_1: R.Tensor((2, 4), dtype="float32") = R.match_cast(lv11, R.Tensor((2, 4), dtype="float32"))
            lv12: R.Tensor((2, 4), dtype="float16") = R.astype(lv5_1, dtype="float16")
            lv13: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv14: R.Tensor((2, 4), dtype="float32") = R.matmul(lv12, lv13, out_dtype="float32")
            lv6_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv14, dtype="float16")
            lv15: R.Tensor((2, 4), dtype="float32") = R.astype(lv6_1, dtype="float32")
            lv7_1: R.Tensor((2, 4), dtype="float32") = R.call_pure_packed("foo", lv15, sinfo_args=(R.Tensor((2, 4), dtype="float32"),))
            lv16: R.Tensor((2, 4), dtype="float16") = R.astype(lv7_1, dtype="float16")
            lv17: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv18: R.Tensor((2, 4), dtype="float32") = R.matmul(lv16, lv17, out_dtype="float32")
            lv8_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv18, dtype="float16")
            lv9_1: R.Tensor((2, 4), dtype="float32") = R.astype(lv8_1, dtype="float32")
            R.output(lv9_1)
        return lv9_1
