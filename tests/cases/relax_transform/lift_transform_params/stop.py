# pass: relax.LiftTransformParams
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t = R.exp(w1)
            t1 = R.builtin.stop_lift_params(t)
            t2 = R.exp(t1)
            y1 = R.matmul(x, t2)
            R.output(y1)
        return y1

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
            t: R.Tensor((16, 16), dtype="float32") = R.exp(w1)
            output_tuple: R.Tuple(R.Tensor((16, 16), dtype="float32")) = (t,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), t: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t2: R.Tensor((16, 16), dtype="float32") = R.exp(t)
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(x, t2, out_dtype="void")
            R.output(y1)
        return y1
