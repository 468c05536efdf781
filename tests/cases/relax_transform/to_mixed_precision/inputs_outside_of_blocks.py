# pass: relax.ToMixedPrecision(fp16_input_names=["w", "t", "i"])
# differs from TVM: TVM refuses it
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "int32")), i: R.Tensor((4, 4), "int32")):
        y0 = R.matmul(x, w)
        with R.dataflow():
            lv = R.matmul(x, w)
            t0 = t[0]
            lv1 = R.matmul(lv, t0)
            R.output(lv1)
        y = R.matmul(lv1, w)
        return (y, w, t, i, y0)
    @R.function(private=True)
    def other(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        y0 = R.matmul(x, w)
        return y0

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def other(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float16")) -> R.Tensor((2, 4), dtype="float32"):
        gv: R.Tensor((4, 4), dtype="float32") = R.astype(w, dtype="float32")
        y0: R.Tensor((2, 4), dtype="float32") = R.matmul(x, gv, out_dtype="void")
        return y0

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float16"), t: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="int32")), i: R.Tensor((4, 4), dtype="int32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="int32")), R.Tensor((4, 4), dtype="int32"), R.Tensor((2, 4), dtype="float32")):
        gv: R.Tensor((4, 4), dtype="float32") = R.astype(w, dtype="float32")
        y0: R.Tensor((2, 4), dtype="float32") = R.matmul(x, gv, out_dtype="void")
        with R.dataflow():
            lv: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((2, 4), dtype="float32") = R.matmul(lv, w, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv1, dtype="float16")
            t0: R.Tensor((4, 4), dtype="float32") = t[0]
            lv2: R.Tensor((4, 4), dtype="float16") = R.astype(t0, dtype="float16")
            lv1_1: R.Tensor((2, 4), dtype="float32") = R.matmul(lv_1, lv2, out_dtype="float32")
            R.output(lv1_1)
        gv1: R.Tensor((4, 4), dtype="float32") = R.astype(w, dtype="float32")
        y: R.Tensor((2, 4), dtype="float32") = R.matmul(lv1_1, gv1, out_dtype="void")
        gv2: R.Tensor((4, 4), dtype="float32") = R.astype(w, dtype="float32")
        return (y, gv2, t, i, y0)
