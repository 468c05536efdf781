# pass: relax.AdjustMatmulOrder
# differs from TVM: of values that are computed at compile time it knows weights alone
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            t: R.Tensor((16, 16), dtype="float32") = R.add(w1, z)
            y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, z, out_dtype="void")
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(y, t, out_dtype="void")
            R.output(y1)
        return y1

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            t: R.Tensor((16, 16), dtype="float32") = R.add(w1, z)
            lv: R.Tensor((16, 16), dtype="float32") = R.matmul(z, t, out_dtype="void")
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(x, lv, out_dtype="void")
            R.output(y1)
        return y1
