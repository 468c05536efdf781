# pass: relax.ToMixedPrecision(fp16_input_names=["w", "c", "zz"])
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32"), c: R.Tensor((2, 4), "float32"), d: R.Tensor((2, 4), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            lv0 = R.add(lv, c)
            lv1 = R.add(lv, d)
            lv2 = R.add(lv0, lv1)
            lv3 = R.add(c, c)
            gv = (lv2, lv3, c)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), w: R.Tensor((3, 4), dtype="float16"), c: R.Tensor((2, 4), dtype="float16"), d: R.Tensor((2, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 3), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((2, 4), dtype="float32") = R.matmul(lv, w, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv1, dtype="float16")
            lv0: R.Tensor((2, 4), dtype="float16") = R.add(lv_1, c)
            lv2: R.Tensor((2, 4), dtype="float32") = R.astype(lv_1, dtype="float32")
            lv1_1: R.Tensor((2, 4), dtype="float32") = R.add(lv2, d)
            lv3: R.Tensor((2, 4), dtype="float32") = R.astype(lv0, dtype="float32")
            lv2_1: R.Tensor((2, 4), dtype="float32") = R.add(lv3, lv1_1)
            lv3_1: R.Tensor((2, 4), dtype="float16") = R.add(c, c)
            lv4: R.Tensor((2, 4), dtype="float32") = R.astype(lv3_1, dtype="float32")
            lv5: R.Tensor((2, 4), dtype="float32") = R.astype(c, dtype="float32")
            gv: R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = lv2_1, lv4, lv5
            R.output(gv)
        return gv
