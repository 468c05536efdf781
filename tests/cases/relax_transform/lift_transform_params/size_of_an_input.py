# pass: relax.LiftTransformParams
# differs from TVM: TVM leaves a size undefined
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), w: R.Tensor(("n * 2", 3), "float32"), v: R.Tensor((3,), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            u = R.exp(v)
            y = R.add(w, u)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((3,), dtype="float32"))) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((3,), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            v: R.Tensor((3,), dtype="float32") = model_params[1]
            u: R.Tensor((3,), dtype="float32") = R.exp(v)
            w: R.Tensor(dtype="float32", ndim=2) = model_params[0]
            output_tuple: R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((3,), dtype="float32")) = w, u
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32"), w: R.Tensor(("n * 2", 3), dtype="float32"), u: R.Tensor((3,), dtype="float32")) -> R.Tensor(("n * 2", 3), dtype="float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((n * 2, 3), dtype="float32") = R.add(w, u)
            R.output(y)
        return y
