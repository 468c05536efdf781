# pass: relax.LiftTransformParams
# differs from TVM: TVM leaves the result unbound
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            s = R.exp(w1)
            R.output(s)
        return s

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((16, 16), dtype="float32"))) -> R.Tuple(R.Tensor((16, 16), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w1: R.Tensor((16, 16), dtype="float32") = model_params[0]
            s: R.Tensor((16, 16), dtype="float32") = R.exp(w1)
            output_tuple: R.Tuple(R.Tensor((16, 16), dtype="float32")) = (s,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor((16, 16), dtype="float32"), s: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((16, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        return s
