# pass: relax.BundleModelParams
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((16, 16), "float32"), w1: R.Tensor((16, 16), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"num_input": 1})
        if c:
            y = R.matmul(x, w1)
            r = y
        else:
            r = w1
        return r

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((16, 16), dtype="float32"), model_params: R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((), dtype="bool"))) -> R.Tensor((16, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        c: R.Tensor((), dtype="bool") = model_params[1]
        if c:
            w1: R.Tensor((16, 16), dtype="float32") = model_params[0]
            y: R.Tensor((16, 16), dtype="float32") = R.matmul(x, w1, out_dtype="void")
            r: R.Tensor((16, 16), dtype="float32") = y
        else:
            w11: R.Tensor((16, 16), dtype="float32") = model_params[0]
            r: R.Tensor((16, 16), dtype="float32") = w11
        return r
