# pass: relax.ExpandMatmulOfSum
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), a: R.Tensor((8, 16), "float32"), b: R.Tensor((8, 16), "float32")):
        with R.dataflow():
            s = R.add(a, b)
            y = R.matmul(x, s)
            gv = R.exp(y)
            R.output(gv)
        return gv
    @R.function
    def weights(x: R.Tensor((4, 8), "float32"), a: R.Tensor((8, 16), "float32"), b: R.Tensor((8, 16), "float32")):
        R.func_attr({"num_input": 1})
        s = R.add(a, b)
        y = R.matmul(x, s)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def weights(x: R.Tensor((4, 8), dtype="float32"), a: R.Tensor((8, 16), dtype="float32"), b: R.Tensor((8, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        s: R.Tensor((8, 16), dtype="float32") = R.add(a, b)
        y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, s, out_dtype="void")
        return y

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), a: R.Tensor((8, 16), dtype="float32"), b: R.Tensor((8, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((4, 16), dtype="float32") = R.matmul(x, a, out_dtype="void")
            lv1: R.Tensor((4, 16), dtype="float32") = R.matmul(x, b, out_dtype="void")
            y: R.Tensor((4, 16), dtype="float32") = R.add(lv, lv1)
            gv: R.Tensor((4, 16), dtype="float32") = R.exp(y)
            R.output(gv)
        return gv
