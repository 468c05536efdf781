# pass: relax.BundleModelParams("my_params")
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        y = R.matmul(x, w1)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), dtype="float32"), my_params: R.Tuple(R.Tensor((16, 16), dtype="float32"))) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        w1: R.Tensor((16, 16), dtype="float32") = my_params[0]
        y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, w1, out_dtype="void")
        return y
