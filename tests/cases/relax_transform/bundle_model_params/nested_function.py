# pass: relax.BundleModelParams
# differs from TVM: TVM leaves the weight of a nested function unbound
@I.ir_module
class Module:
    @R.function
    def f2(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        @R.function
        def inner(y: R.Tensor((4, 16), "float32")) -> R.Tensor((4, 16), "float32"):
            gv = R.matmul(y, w1)
            return gv
        gv1 = inner(x)
        w3 = w1
        w4 = R.match_cast(w1, R.Tensor((16, 16), "float32"))
        return (gv1, w4)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f2(x: R.Tensor((4, 16), dtype="float32"), model_params: R.Tuple(R.Tensor((16, 16), dtype="float32"))) -> R.Tuple(R.Tensor((4, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")):
        R.func_attr({"num_input": 1})
        # from tvm.script import relax as R
        
        @R.function
        def inner(y: R.Tensor((4, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
            w1: R.Tensor((16, 16), dtype="float32") = model_params[0]
            gv: R.Tensor((4, 16), dtype="float32") = R.matmul(y, w1, out_dtype="void")
            return gv

        gv1: R.Tensor((4, 16), dtype="float32") = inner(x)
        w11: R.Tensor((16, 16), dtype="float32") = model_params[0]
        w3: R.Tensor((16, 16), dtype="float32") = w11
        w12: R.Tensor((16, 16), dtype="float32") = model_params[0]
        w4: R.Tensor((16, 16), dtype="float32") = R.match_cast(w12, R.Tensor((16, 16), dtype="float32"))
        return (gv1, w4)
