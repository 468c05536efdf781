# pass: relax.LiftTransformParams
# differs from TVM: TVM uses the weight behind the tuple in main, where nothing binds it, and passes no transformed weights
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((2, 3), "float32")):
        R.func_attr({"num_input": 1})
        v0 = R.nn.softmax(x, axis=1)
        with R.dataflow():
            v1 = (w,)
            v2 = v1[0]
            R.output(v2)
        return (v2, v2)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((2, 3), dtype="float32"))) -> R.Tuple(R.Tensor((2, 3), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((2, 3), dtype="float32") = model_params[0]
            v1: R.Tuple(R.Tensor((2, 3), dtype="float32")) = (w,)
            w1: R.Tensor((2, 3), dtype="float32") = model_params[0]
            output_tuple: R.Tuple(R.Tensor((2, 3), dtype="float32")) = (w1,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), v2: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        R.func_attr({"num_input": 1})
        v0: R.Tensor((2, 4), dtype="float32") = R.nn.softmax(x, axis=1)
        gv: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = v2, v2
        return gv
