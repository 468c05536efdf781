# pass: relax.AdjustMatmulOrder
# differs from TVM: TVM uses a variable of a dataflow block behind it
# Products whose operands are seen only inside a block keep their order.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((100, 2), dtype="float32"), v: R.Tensor((2, 100), dtype="float32"), w: R.Tensor((100, 2), dtype="float32")):
        with R.dataflow():
            lv0 = R.exp(x)
            lv = R.exp(lv0)
            lv1 = R.matmul(lv, v)
            lv2 = R.exp(lv)
            R.output(lv1, lv2)
        y = R.matmul(lv1, w)
        return (lv2, y)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((100, 2), dtype="float32"), v: R.Tensor((2, 100), dtype="float32"), w: R.Tensor((100, 2), dtype="float32")) -> R.Tuple(R.Tensor((100, 2), dtype="float32"), R.Tensor((100, 2), dtype="float32")):
        with R.dataflow():
            lv0: R.Tensor((100, 2), dtype="float32") = R.exp(x)
            lv: R.Tensor((100, 2), dtype="float32") = R.exp(lv0)
            lv1: R.Tensor((100, 100), dtype="float32") = R.matmul(lv, v, out_dtype="void")
            lv2: R.Tensor((100, 2), dtype="float32") = R.exp(lv)
            R.output(lv1, lv2)
        y: R.Tensor((100, 2), dtype="float32") = R.matmul(lv1, w, out_dtype="void")
        return (lv2, y)
