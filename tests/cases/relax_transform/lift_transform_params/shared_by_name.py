# pass: relax.LiftTransformParams(shared_transform=["f2", "f1"])
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32"), w2: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            e = R.exp(w1)
            g = R.exp(e)
            y = R.matmul(x, e)
            y1 = R.matmul(y, g)
            R.output(y1)
        return y1
    @R.function
    def f2(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32"), v2: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            e1 = R.exp(w1)
            e2 = R.exp(e1)
            e3 = R.exp(e2)
            y = R.matmul(x, v2)
            y2 = R.matmul(y, e3)
            R.output(y2)
        return y2

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), dtype="float32"), v2: R.Tensor((16, 16), dtype="float32"), e: R.Tensor((16, 16), dtype="float32"), g: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, e, out_dtype="void")
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(y, g, out_dtype="void")
            R.output(y1)
        return y1

    @R.function
    def f2(x: R.Tensor((4, 16), dtype="float32"), v2: R.Tensor((16, 16), dtype="float32"), e1: R.Tensor((16, 16), dtype="float32"), e2: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            e3: R.Tensor((16, 16), dtype="float32") = R.exp(e2)
            y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, v2, out_dtype="void")
            y2: R.Tensor((4, 16), dtype="float32") = R.matmul(y, e3, out_dtype="void")
            R.output(y2)
        return y2

    @R.function
    def transform_params(model_params: R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"))) -> R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w1: R.Tensor((16, 16), dtype="float32") = model_params[0]
            e1: R.Tensor((16, 16), dtype="float32") = R.exp(w1)
            e2: R.Tensor((16, 16), dtype="float32") = R.exp(e1)
            v2: R.Tensor((16, 16), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")) = v2, e1, e2
            R.output(output_tuple)
        return output_tuple
