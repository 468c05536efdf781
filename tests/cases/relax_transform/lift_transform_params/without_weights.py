# pass: relax.LiftTransformParams
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z = R.zeros((16, 16), "float32")
            t = R.add(w1, z)
            y = R.matmul(x, z)
            y1 = R.matmul(y, t)
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
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            w1: R.Tensor((16, 16), dtype="float32") = model_params[0]
            t: R.Tensor((16, 16), dtype="float32") = R.add(w1, z)
            output_tuple: R.Tuple(R.Tensor((16, 16), dtype="float32")) = (t,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), t: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, z, out_dtype="void")
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(y, t, out_dtype="void")
            R.output(y1)
        return y1
