# pass: relax.LiftTransformParams
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 16), "float32"), w1: R.Tensor((16, "k"), "float32")):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            s = R.sum(w1)
            z = R.zeros(R.shape([n, k]), "float32")
            y1 = R.add(z, s)
            R.output(y1)
        return y1

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((16, "k"), dtype="float32"))) -> R.Tuple(R.Shape(["k"]), R.Tensor((), dtype="float32")):
        k = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w1: R.Tensor((16, k), dtype="float32") = model_params[0]
            s: R.Tensor((), dtype="float32") = R.sum(w1, axis=None, keepdims=False)
            output_tuple: R.Tuple(R.Shape([k]), R.Tensor((), dtype="float32")) = R.shape([k]), s
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), vars_from_compile_time_params: R.Shape(["k"]), s: R.Tensor((), dtype="float32")) -> R.Tensor(("n", "k"), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((n, k), dtype="float32") = R.zeros(R.shape([n, k]), dtype="float32")
            y1: R.Tensor((n, k), dtype="float32") = R.add(z, s)
            R.output(y1)
        return y1
