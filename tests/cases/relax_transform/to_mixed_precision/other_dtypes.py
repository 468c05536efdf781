# pass: relax.ToMixedPrecision
# differs from TVM: TVM computes products of integers and of float64 in float32
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float16"), w: R.Tensor((4, 4), "float16"), i: R.Tensor((4, 4), "int32"), j: R.Tensor((4, 4), "int32"), d: R.Tensor((4, 4), "float64")):
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = R.matmul(i, j)
            lv2 = R.matmul(d, d)
            lv3 = R.astype(lv1, "float32")
            lv4 = R.matmul(lv3, lv3)
            lv5 = R.astype(lv4, "float32")
            R.output(lv, lv2, lv5)
        return (lv, lv2, lv5)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), dtype="float16"), w: R.Tensor((4, 4), dtype="float16"), i: R.Tensor((4, 4), dtype="int32"), j: R.Tensor((4, 4), dtype="int32"), d: R.Tensor((4, 4), dtype="float64")) -> R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((4, 4), dtype="float64"), R.Tensor((4, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 4), dtype="float32") = R.matmul(x, w, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv, dtype="float16")
            lv1: R.Tensor((4, 4), dtype="int32") = R.matmul(i, j, out_dtype="void")
            lv2: R.Tensor((4, 4), dtype="float64") = R.matmul(d, d, out_dtype="void")
            lv3: R.Tensor((4, 4), dtype="float32") = R.astype(lv1, dtype="float32")
            lv1_1: R.Tensor((4, 4), dtype="float16") = R.astype(lv3, dtype="float16")
            lv2_1: R.Tensor((4, 4), dtype="float32") = R.matmul(lv1_1, lv1_1, out_dtype="float32")
            lv4: R.Tensor((4, 4), dtype="float16") = R.astype(lv2_1, dtype="float16")
            lv5: R.Tensor((4, 4), dtype="float32") = R.astype(lv4, dtype="float32")
            R.output(lv_1, lv2, lv5)
        return (lv_1, lv2, lv5)
